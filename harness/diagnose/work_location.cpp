#include "diagnose/work_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

struct BoundaryShare {
  std::string boundary;
  double per_step = 0;
};

double per_step(const std::map<std::string, std::int64_t>& totals, const std::string& boundary, std::size_t steps) {
  const auto at = totals.find(boundary);
  return at == totals.end() || steps == 0 ? 0 : static_cast<double>(at->second) / static_cast<double>(steps);
}

using Totals = std::map<std::string, std::int64_t>;

Totals totals_of(const std::map<std::string, Totals>& by_boundary, const std::string& metric) {
  const auto at = by_boundary.find(metric);
  return at == by_boundary.end() ? Totals{} : at->second;
}

/// Boundaries whose share changed, the largest change first.
std::vector<BoundaryShare> changed_shares(const Baseline& baseline, const WorkCounts& counts,
                                          const std::string& metric) {
  // A side without boundaries has none to tell of: nothing was held, copied or read there.
  const auto before = totals_of(baseline.counts_by_boundary, metric);
  const auto now = totals_of(counts.by_boundary, metric);
  std::vector<BoundaryShare> shares;
  const std::size_t steps_before = counted_steps(baseline.exact);
  const std::size_t steps_now = counted_steps(counts.per_step);
  for (Boundary boundary : all_boundaries) {
    const std::string name(name_of(boundary));
    const double change = per_step(now, name, steps_now) - per_step(before, name, steps_before);
    if (change != 0) shares.push_back({name, change});
  }
  std::stable_sort(shares.begin(), shares.end(), [](const BoundaryShare& a, const BoundaryShare& b) {
    return std::abs(a.per_step) > std::abs(b.per_step);
  });
  return shares;
}

/// "in every counted step", or which ones: work that comes every few steps has another reason than work in each.
std::string affected_steps(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& now) {
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

std::string affected_steps(const Baseline& baseline, const WorkCounts& counts, const std::string& metric) {
  const auto before = baseline.exact.find(metric);
  const auto now = counts.per_step.find(metric);
  if (before == baseline.exact.end() || now == counts.per_step.end()) return "";
  return affected_steps(before->second, now->second);
}

std::string advice_on(const std::string& metric) {
  if (metric == "allocations_per_step" || metric == "allocated_bytes_per_step") {
    return "a temporary more, or a larger one: look for out-of-place operations, copies, and shapes that grew.";
  }
  if (metric == "host_syncs_per_step") return "look for .item(), .cpu(), printing, or control flow on tensor values.";
  if (metric == "pageable_copies_per_step") {
    return "the batch lost its pinned memory (pin_memory, pinned_memory(true)): such copies wait and cannot overlap.";
  }
  if (metric == "held_graphs_per_step") {
    return "something keeps losses with their graphs: log loss.item(), or loss.detach() where it must stay on the "
           "device.";
  }
  if (metric == "d2h_copies_per_step") return "a tensor is read back: keep sums on the device and read them seldom.";
  if (metric == "padding_tokens_per_step") return "batch samples of like length together, or round lengths up less.";
  if (metric.starts_with("loader_")) return "decoding, augmentation or collation do more work for each batch.";
  if (metric == "h2d_bytes_per_step" || metric == "h2d_copies_per_step") {
    return "look at the batch: a wider dtype, more padding, or a tensor that could be made on the device.";
  }
  return "";
}

std::string list_of(const std::vector<BoundaryShare>& shares, std::string_view unit) {
  std::string text;
  for (const BoundaryShare& share : shares) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", share.boundary, difference_text(unit, share.per_step));
  }
  return text;
}

}  // namespace

std::vector<Finding> explain_work_location(const DiagnoseInput& input) {
  const Baseline* baseline = work_baseline(input);
  std::vector<Finding> findings;
  if (baseline == nullptr) return findings;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    const Metric* metric = find_metric(verdict.metric);
    const bool moved = verdict.status == Status::regressed || verdict.status == Status::improved;
    if (!moved || metric == nullptr || metric->tier != Tier::exact) continue;
    // Operators are named one by one by explain_operators; their bare number adds nothing to that.
    const bool operators_named = !baseline->operators.empty() && !input.current.counts.operators.empty();
    if (verdict.metric == "operators_per_step" && operators_named) continue;
    const auto shares = changed_shares(*baseline, input.current.counts, verdict.metric);
    if (shares.empty()) continue;
    const bool red = verdict.status == Status::regressed;
    findings.push_back({.code = red ? "work-added" : "work-removed",
                        .severity = red ? Severity::cause : Severity::note,
                        .message = fmt::format("{}: {} per step{}", metric->label, list_of(shares, metric->unit),
                                               affected_steps(*baseline, input.current.counts, verdict.metric)),
                        .advice = red ? advice_on(verdict.metric) : "",
                        .metric = verdict.metric});
  }
  return findings;
}

}  // namespace stepgate
