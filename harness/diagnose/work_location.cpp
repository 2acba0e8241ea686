#include "diagnose/work_location.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string advice_on_work(const std::string& metric) {
  if (metric == "allocations_per_step" || metric == "allocated_bytes_per_step") {
    return "one more temporary, or a larger one: look for out-of-place operations, copies, and shapes that grew.";
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
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", share.boundary, difference_text(unit, share.change));
  }
  return text;
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
    if (!moved || metric == nullptr || metric->tier != Tier::exact) continue;
    // Operators are named one by one by explain_operators; their bare number adds nothing to that.
    const bool operators_named = !baseline->operators.empty() && !input.current.counts.operators.empty();
    if (verdict.metric == "operators_per_step" && operators_named) continue;
    const auto shares = changed_shares(input, verdict.metric);
    if (shares.empty()) continue;
    const bool red = verdict.status == Status::regressed;
    findings.push_back({.code = red ? "work-added" : "work-removed",
                        .severity = red ? Severity::cause : Severity::note,
                        .message = fmt::format("{}: {} per step{}", metric->label, list_of(shares, metric->unit),
                                               affected_steps(input, verdict.metric)),
                        .advice = red ? advice_on_work(verdict.metric) : "",
                        .metric = verdict.metric,
                        .boundary = shares.size() == 1 ? shares.front().boundary : ""});
  }
  return findings;
}

}  // namespace stepgate
