#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/inference/recording_lines.h"
#include "diagnose/questions_of_inference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

constexpr const char* modules_metric = "training_modules";
constexpr const char* answers_metric = "graph_answers_per_step";
constexpr const char* nodes_metric = "autograd_nodes_per_step";

/// The most modules that fit on a line.
constexpr std::size_t named_modules = 3;

std::vector<SourceFrame> lines_by(std::vector<SourceFrame> (*lines)(const ObservedWork&),
                                  const JudgedComparison& input) {
  const auto& observed = input.current.counts.observed;
  return observed ? lines(*observed) : std::vector<SourceFrame>{};
}

/// ": layers.0.dropout (Dropout), norm (BatchNorm2d) and 2 more"
std::string modules_text(const std::vector<TrainingModule>& modules) {
  std::string text;
  for (std::size_t i = 0; i < std::min(modules.size(), named_modules); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? ": " : ", ", modules[i].name, modules[i].kind);
  }
  if (modules.size() > named_modules) text += fmt::format(" and {} more", modules.size() - named_modules);
  return text;
}

/// The boundary that records most nodes; "infer" where they were not counted by boundary.
std::string recording_boundary(const JudgedComparison& input) {
  const auto shares = changed_shares(input, nodes_metric);
  return shares.empty() || shares.front().change <= 0 ? "infer" : shares.front().boundary;
}

double nodes_per_request(const JudgedComparison& input) {
  const auto& per_step = input.current.counts.per_step;
  const auto found = per_step.find(nodes_metric);
  if (found == per_step.end() || found->second.empty()) return 0;
  double sum = 0;
  for (const std::int64_t nodes : found->second) sum += static_cast<double>(nodes);
  return sum / static_cast<double>(found->second.size());
}

}  // namespace

std::vector<Finding> explain_training_mode(const JudgedComparison& input) {
  const auto& facts = input.current.inference;
  if (!facts || !facts->training_modules || facts->training_modules->empty()) return {};
  const bool red = is_red(input, modules_metric);
  const auto lines = lines_by(training_lines, input);
  return {{.code = FindingCode::train_mode_left_on,
           .severity = red ? Severity::cause : Severity::warning,
           .message = fmt::format("infer: {} in train mode{}{}",
                                  counted(facts->training_modules->size(), "module computes", "modules compute"),
                                  modules_text(*facts->training_modules), at_sources(lines)),
           .advice = "call model->eval() before the first request; a dropout draws masks and a batch norm changes its "
                     "statistics with each one.",
           .metric = modules_metric,
           .boundary = "infer",
           .sources = lines}};
}

std::vector<Finding> explain_recorded_graph(const JudgedComparison& input) {
  const auto& facts = input.current.inference;
  if (!facts) return {};
  const double nodes = nodes_per_request(input);
  if (facts->graph_answers == 0 && nodes <= 0) return {};
  const bool red = is_red(input, answers_metric) || is_red(input, nodes_metric);
  const auto lines = lines_by(recording_lines, input);
  const std::string answers =
      facts->graph_answers == 0
          ? "; no answer holds it"
          : fmt::format("; {} of {} hold their graph", facts->graph_answers, counted(facts->answers, "answer"));
  const std::string boundary = recording_boundary(input);
  return {{.code = FindingCode::grad_mode_left_on,
           .severity = red ? Severity::cause : Severity::warning,
           .message = fmt::format("{}: each request records a graph that no backward runs, {} autograd nodes{}{}",
                                  boundary, quantity_text(MetricUnit::count, nodes), answers, at_sources(lines)),
           .advice = "run the request under torch::NoGradGuard or torch::InferenceMode: the graph takes time, and "
                     "memory for what it saves.",
           .metric = is_red(input, answers_metric) && !is_red(input, nodes_metric) ? answers_metric : nodes_metric,
           .boundary = boundary,
           .sources = lines}};
}

}  // namespace stepgate
