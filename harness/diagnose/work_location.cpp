#include "diagnose/work_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"

namespace stepgate {
namespace {

std::string steps_that_differ(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& now) {
  if (before.size() != now.size() || before.empty()) return "";
  std::size_t affected = 0;
  std::size_t first = now.size();
  for (std::size_t step = 0; step < now.size(); ++step) {
    if (before[step] == now[step]) continue;
    ++affected;
    first = std::min(first, step);
  }
  if (affected == 0) return "";
  if (affected == now.size()) return ", in every counted step";
  return fmt::format(", in {} of {} counted steps (first: step {})", affected, now.size(), first);
}

std::string list_of(const std::vector<BoundaryShare>& shares, std::string_view unit) {
  std::string text;
  for (const BoundaryShare& share : shares) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", share.boundary, difference_text(unit, share.change));
  }
  return text;
}

/// Values with a margin differ a little in every boundary: those that moved by a tenth of the largest move are named.
std::vector<BoundaryShare> above_jitter(const Metric& metric, std::vector<BoundaryShare> shares) {
  if (metric.margin == 0 || shares.empty()) return shares;
  const double least = std::abs(shares.front().change) / 10;
  std::erase_if(shares, [&](const BoundaryShare& share) { return std::abs(share.change) < least; });
  return shares;
}

/// Autograd nodes can rise without an operator, so the sentence says who makes them.
std::string what_moved(const Metric& metric, const std::vector<BoundaryShare>& shares, bool red) {
  const bool recorded = red && metric.name == "autograd_nodes_per_step";
  return fmt::format("{}: {}{} per step", recorded ? "autograd records more" : metric.label,
                     list_of(shares, metric.unit), recorded ? " nodes" : "");
}

}  // namespace

std::string affected_steps(const Comparison& input, const std::string& metric) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return "";
  const auto before = baseline->exact.find(metric);
  const auto now = input.current.counts.per_step.find(metric);
  if (before == baseline->exact.end() || now == input.current.counts.per_step.end()) return "";
  return steps_that_differ(before->second, now->second);
}

std::vector<Finding> explain_work_location(const Comparison& input) {
  const Baseline* baseline = work_baseline(input);
  std::vector<Finding> findings;
  if (baseline == nullptr) return findings;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    const Metric* metric = find_metric(verdict.metric);
    const bool moved = verdict.status == Status::regressed || verdict.status == Status::improved;
    if (!moved || metric == nullptr) continue;
    // Operators are named one by one by explain_operators; their bare number adds nothing to that.
    const bool operators_named = !baseline->operators.empty() && !input.current.counts.operators.empty();
    if (verdict.metric == "operators_per_step" && operators_named) continue;
    const auto shares = above_jitter(*metric, changed_shares(input, verdict.metric));
    if (shares.empty()) continue;
    const bool red = verdict.status == Status::regressed;
    findings.push_back({.code = red ? "work-added" : "work-removed",
                        .severity = red ? Severity::cause : Severity::note,
                        .message = what_moved(*metric, shares, red) + affected_steps(input, verdict.metric),
                        .advice = red ? std::string(metric->advice) : "",
                        .metric = verdict.metric,
                        .boundary = shares.size() == 1 ? shares.front().boundary : ""});
  }
  return findings;
}

}  // namespace stepgate
