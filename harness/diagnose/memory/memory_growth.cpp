#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/catalogue/memory_metrics.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/memory/ledger_change.h"
#include "diagnose/questions.h"
#include "diagnose/recorded_nodes.h"

namespace stepgate {
namespace {

std::string difference_of(const BytesPair& pair) {
  return difference_text(MetricUnit::bytes, static_cast<double>(pair.difference()));
}

constexpr const char* advice_on_a_boundary =
    "look for a larger temporary in that boundary, an activation kept for backward, or a tensor that lives longer than "
    "it is needed.";
constexpr const char* advice_on_the_step =
    "look for what is made before the step or kept from step to step: a member, a list, or a cache that holds tensors.";

struct Rise {
  std::string text;
  const char* advice;
};

/// Which boundary the rise comes from. Memory that lives through the whole step lifts every boundary's peak alike.
Rise where_it_rose(const std::vector<BoundaryShare>& rises) {
  if (rises.empty()) return {"", advice_on_the_step};
  const auto by_rise = [](const BoundaryShare& a, const BoundaryShare& b) { return a.change < b.change; };
  const BoundaryShare most = *std::max_element(rises.begin(), rises.end(), by_rise);
  const BoundaryShare least = *std::min_element(rises.begin(), rises.end(), by_rise);
  if (most.change <= 0) return {"", advice_on_the_step};
  const std::string amount = difference_text(MetricUnit::bytes, most.change);
  if (rises.size() > 1 && least.change == most.change) {
    return {fmt::format(": every boundary's peak rose by {}, so something lives through the whole step", amount),
            advice_on_the_step};
  }
  return {fmt::format(": {}'s peak rose most, {}", most.boundary, amount), advice_on_a_boundary};
}

/// Which kind of memory rose, where both sides have a ledger.
std::string what_rose(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return "";
  const auto rise = largest_rise(baseline->ledger, input.current.ledger);
  if (!rise) return "";
  return fmt::format("; of what is live at the peak, in {}, {} grew most, {}", input.current.ledger->boundary,
                     rise->kind, difference_text(MetricUnit::bytes, static_cast<double>(rise->bytes)));
}

std::optional<Finding> peak_finding(const JudgedComparison& input, const std::string& metric) {
  const MetricVerdict* verdict = verdict_on(input, metric);
  const auto pair = bytes_pair(input, metric);
  if (verdict == nullptr || !pair || pair->difference() == 0) return std::nullopt;
  const bool red = verdict->status == Status::regressed;
  if (!red && verdict->status != Status::improved) return std::nullopt;
  const Rise rise = red ? where_it_rose(peak_changes(input)) : Rise{"", ""};
  const std::string location = red ? rise.text + what_rose(input) : "";
  return Finding{.code = red ? FindingCode::peak_grew : FindingCode::peak_shrank,
                 .severity = red ? Severity::cause : Severity::note,
                 .message = fmt::format("{} {}{}", label_of(metric), difference_of(*pair), location),
                 .advice = rise.advice,
                 .metric = metric};
}

/// The interval of a growth holds 0 below so many standard errors (95 %, normal).
constexpr double unsure_within = 2;

/// Whether what a step leaves behind may be no growth: one tensor that is kept is as large as its batch, so that the
/// level goes up and down with the batches of the few steps that were followed.
bool goes_up_and_down(const LevelGrowth& growth) {
  return !growth.repeated && !growth.in_every_step && growth.per_step < unsure_within * growth.noise;
}

/// Whether a red leak is told as memory that is kept, not as memory that grows.
bool keeps_without_growth(const JudgedComparison& input) {
  const auto growth = input.current.growth.find("leak_bytes_per_step");
  if (growth == input.current.growth.end() || !std::ranges::all_of(growth->second, goes_up_and_down)) return false;
  const auto resident = bytes_pair(input, "resident_bytes");
  return resident && resident->difference() > 0;
}

std::optional<Finding> kept_alive_finding(const JudgedComparison& input) {
  const auto pair = bytes_pair(input, "resident_bytes");
  if (!pair || pair->difference() <= 0) return std::nullopt;
  const bool explains_red = is_red(input, Tier::bytes);
  return Finding{
      .code = FindingCode::kept_alive,
      .severity = explains_red ? Severity::cause : Severity::note,
      .message = fmt::format("{} more stay allocated at the end of a step ({} -> {}): something is "
                             "kept alive between steps",
                             difference_of(*pair), exact_bytes_text(pair->before), exact_bytes_text(pair->now)),
      .advice = "look at parameters, optimizer state, and members that hold a tensor of the last step.",
      .metric = "resident_bytes"};
}

/// A loss that was detached has no graph, so that detach() would not help.
constexpr const char* kept_graph_advice =
    "a loss or output kept in a list, a running mean or a log entry holds its whole graph: keep "
    "loss.item<float>() or loss.detach() instead, and look at the logging boundary first.";
constexpr const char* kept_tensor_advice =
    "no graph of a loss outlives its step, so that a detach() more would not help: look for a list, a cache or a log "
    "that each step adds a tensor to and nothing clears. Keep a number (loss.item<float>()), or only the last of them.";

std::optional<Finding> leak_finding(const JudgedComparison& input) {
  const auto pair = bytes_pair(input, "leak_bytes_per_step");
  if (!pair || pair->difference() <= 0 || pair->now <= 0) return std::nullopt;
  const bool red = is_red(input, "leak_bytes_per_step");
  return Finding{.code = FindingCode::leak_grew,
                 .severity = red ? Severity::cause : Severity::warning,
                 .message = fmt::format("each step leaves {} behind ({} before): memory grows with the run{}",
                                        exact_bytes_text(pair->now), exact_bytes_text(pair->before), what_rose(input)),
                 .advice = may_keep_graphs(input) ? kept_graph_advice : kept_tensor_advice,
                 .metric = "leak_bytes_per_step"};
}

std::int64_t largest(const std::map<std::string, std::vector<std::int64_t>>& bytes, const std::string& metric) {
  const auto at = bytes.find(metric);
  return at == bytes.end() || at->second.empty() ? 0 : *std::max_element(at->second.begin(), at->second.end());
}

/// What a step added before and adds now: as the verdict states it where it is red, because growth below the noise
/// floor is 0 in `bytes`. A counter that the baseline lacks counts as 0.
BytesPair growth_pair(const JudgedComparison& input, const std::string& name) {
  const MetricVerdict* verdict = verdict_on(input, name);
  if (is_red(input, name) && verdict->baseline && verdict->current)
    return {std::llround(*verdict->baseline), std::llround(*verdict->current)};
  const Baseline* baseline = work_baseline(input);
  return {baseline == nullptr ? 0 : largest(baseline->bytes, name), largest(input.current.bytes, name)};
}

/// A finding on a counter whose row in the catalogue says what to look for.
std::optional<Finding> counter_growth_finding(const JudgedComparison& input, const Metric& metric) {
  const std::string name(metric.name);
  const auto [before, now] = growth_pair(input, name);
  if (now <= std::max<std::int64_t>(0, before)) return std::nullopt;
  return Finding{.code = FindingCode::counter_grew,
                 .severity = is_red(input, name) ? Severity::cause : Severity::warning,
                 .message = fmt::format("{}: about {} per step ({} before)", metric.label,
                                        bytes_text(static_cast<double>(now)), exact_bytes_text(before)),
                 .advice = std::string(metric.advice),
                 .metric = name};
}

}  // namespace

std::vector<Finding> explain_memory(const JudgedComparison& input) {
  std::vector<Finding> findings;
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(std::move(*finding));
  };
  const bool keeps = keeps_without_growth(input);
  if (!keeps) add(leak_finding(input));
  for (const Metric& metric : catalogue::memory_metrics) {
    // A tensor that leaks keeps the nodes of its graph on the host heap: that is one cause, not two.
    // What grows so fast that a few steps show it may also grow in chunks: one cause as well.
    const bool explained = is_red(input, "leak_bytes_per_step") ||
                           (metric.least_chunk > 0 && is_red(input, "host_heap_growth_bytes_per_step"));
    const bool growth = metric.over_steps == OverSteps::growth && !metric.advice.empty();
    if (growth && !explained) add(counter_growth_finding(input, metric));
  }
  add(peak_finding(input, "peak_allocated_bytes"));
  add(peak_finding(input, "peak_reserved_bytes"));
  // A leak raises resident memory as well; a second finding would look like a second cause.
  if (keeps || !is_red(input, "leak_bytes_per_step")) add(kept_alive_finding(input));
  return findings;
}

}  // namespace stepgate
