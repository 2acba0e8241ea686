#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr const char* recorded_metric = "graphs_after_warmup";

/// What a graph is made of, the most telling first, and the memory that its temporaries take.
constexpr std::array<std::string_view, 3> node_metrics = {"graph_kernel_nodes", "graph_memcpy_nodes",
                                                          "graph_memset_nodes"};
constexpr std::string_view pool_metric = "graph_pool_bytes";

using PerStep = std::map<std::string, std::vector<std::int64_t>>;

std::vector<std::int64_t> nodes_by_step(const PerStep& values, std::string_view metric) {
  const auto at = values.find(std::string(metric));
  return at == values.end() ? std::vector<std::int64_t>{} : at->second;
}

struct NodesOfStep {
  std::int64_t before = 0;
  std::int64_t now = 0;
};

/// Of the step in which most were added: shapes have graphs of their own, so the largest ones may be of other steps.
NodesOfStep most_added(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& now) {
  NodesOfStep most;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const NodesOfStep step{.before = i < before.size() ? before[i] : 0, .now = now[i]};
    if (i == 0 || step.now - step.before > most.now - most.before) most = step;
  }
  return most;
}

std::optional<Finding> recorded_again(const JudgedComparison& input) {
  const auto at = input.current.counts.per_step.find(recorded_metric);
  if (!is_red(input, recorded_metric) || at == input.current.counts.per_step.end()) return std::nullopt;
  const std::vector<std::int64_t>& steps = at->second;
  const auto total = std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
  if (total <= 0) return std::nullopt;
  const auto recording = std::count_if(steps.begin(), steps.end(), [](std::int64_t in_step) { return in_step > 0; });
  return Finding{.code = FindingCode::graphs_after_warmup,
                 .severity = Severity::cause,
                 .message = fmt::format("{} in {} of {} steps after the warm-up, each after steps without one",
                                        counted(total, "CUDA graph is recorded", "CUDA graphs are recorded"), recording,
                                        steps.size()),
                 .advice =
                     "keep a graph for as long as its shapes come: numbers that change, such as a learning rate, "
                     "belong into tensors on the device, and batches are padded to few shapes that all come "
                     "early.",
                 .metric = recorded_metric};
}

/// "kernels in the CUDA graph 1 883 (558 before)"; "" where no step has more: its counts are not known.
std::string nodes_text(const JudgedComparison& input, const Baseline& baseline, std::string_view metric) {
  const auto nodes_figure = [](std::int64_t nodes) { return count_text(static_cast<double>(nodes)); };
  const NodesOfStep nodes =
      most_added(nodes_by_step(baseline.exact, metric), nodes_by_step(input.current.counts.per_step, metric));
  if (nodes.now <= nodes.before) return "";
  return fmt::format("{} {} ({} before)", label_of(std::string(metric)), nodes_figure(nodes.now),
                     nodes_figure(nodes.before));
}

std::optional<Finding> grown_graph(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return std::nullopt;
  Finding finding{
      .code = FindingCode::graph_grew, .severity = Severity::cause, .message = "", .advice = "", .metric = ""};
  for (const std::string_view metric : node_metrics) {
    const std::string nodes = is_red(input, metric) ? nodes_text(input, *baseline, metric) : "";
    if (nodes.empty()) continue;
    finding.message += (finding.message.empty() ? "" : ", ") + nodes;
    if (!finding.metric.empty()) {
      finding.also.emplace_back(metric);
      continue;
    }
    finding.metric = metric;
    finding.advice = std::string(find_metric(metric)->advice);
  }
  if (finding.metric.empty()) return std::nullopt;
  if (is_red(input, pool_metric)) finding.also.emplace_back(pool_metric);
  return finding;
}

}  // namespace

std::vector<Finding> explain_cuda_graphs(const JudgedComparison& input) {
  auto finding = recorded_again(input);
  // Steps without a graph between those with one say nothing about what a graph holds.
  if (!finding) finding = grown_graph(input);
  return finding ? std::vector<Finding>{std::move(*finding)} : std::vector<Finding>{};
}

}  // namespace stepgate
