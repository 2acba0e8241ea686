#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/leading_time.h"
#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/memory/ledger_change.h"
#include "diagnose/questions.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// The boundaries that a red floor names: the rest is seldom what to look at first.
constexpr std::size_t most_named_boundaries = 3;

std::string value_text(const MetricVerdict& verdict) {
  return verdict.current ? quantity_text(unit_of(verdict.metric), *verdict.current) : "its value";
}

/// The metrics that the ledger splits by kind.
bool is_peak(const std::string& metric) { return metric == "peak_allocated_bytes" || metric == "peak_reserved_bytes"; }

std::string spent_on(const JudgedComparison& input, const std::string& metric) {
  if (!is_peak(metric) || !input.current.ledger) return "";
  const MemoryLedger& ledger = *input.current.ledger;
  return fmt::format("; at the peak, in {}: {}", ledger.boundary, largest_kinds(ledger));
}

std::optional<double> median_time(const JudgedComparison& input, const std::string& metric) {
  const auto at = input.current.timed.find(metric);
  return at == input.current.timed.end() || at->second.empty() ? std::nullopt : std::optional(median(at->second));
}

struct NamedTime {
  std::string boundary;
  double ns = 0;
};

/// The boundaries of a step with their times, the longest first.
std::vector<NamedTime> longest_boundaries(const JudgedComparison& input) {
  std::vector<NamedTime> times;
  for (const std::string& name : boundary_names(input)) {
    if (const auto ns = median_time(input, boundary_time_metric(name))) times.push_back({name, *ns});
  }
  std::stable_sort(times.begin(), times.end(), [](const NamedTime& a, const NamedTime& b) { return a.ns > b.ns; });
  if (times.size() > most_named_boundaries) times.resize(most_named_boundaries);
  return times;
}

/// "; a step takes 21.0 ms, most of it in backward 9.00 ms, forward 6.00 ms", or a request; "" for a rate of something
/// else.
std::string step_text(const JudgedComparison& input, const std::string& metric, const std::vector<NamedTime>& longest) {
  const Metric* row = find_metric(metric);
  const bool is_of_step = row != nullptr && (!row->shares_test_of.empty() || row->unit == MetricUnit::tokens_per_s);
  const std::string whole = leading_time_of(input.current.timed);
  const auto time = median_time(input, whole);
  if (!is_of_step || !time) return "";
  std::string text = fmt::format("; a {} takes {}", is_latency(whole) ? "request" : "step", duration_text(*time));
  std::string names;
  for (const NamedTime& each : longest)
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", each.boundary, duration_text(each.ns));
  return names.empty() ? text : fmt::format("{}, most of it in {}", text, names);
}

Finding over_budget(const JudgedComparison& input, const MetricVerdict& verdict) {
  return {.code = FindingCode::over_budget,
          .severity = Severity::cause,
          .message = fmt::format("{}: {} is over the {}{}", label_of(verdict.metric), value_text(verdict),
                                 verdict.limit, spent_on(input, verdict.metric)),
          .advice = fmt::format("a budget holds with any baseline: bring the value down, or raise budgets.{} or its "
                                "entry of case_budgets in the suite's policy.json in a change of its own.",
                                verdict.metric),
          .metric = verdict.metric};
}

Finding below_floor(const JudgedComparison& input, const MetricVerdict& verdict) {
  const std::vector<NamedTime> longest = longest_boundaries(input);
  const std::string step = step_text(input, verdict.metric, longest);
  return {.code = FindingCode::below_floor,
          .severity = Severity::cause,
          .message = fmt::format("{}: {} is below the {}{}", label_of(verdict.metric), value_text(verdict),
                                 verdict.limit, step),
          .advice =
              "a floor holds with any baseline: make the step faster, or lower the floor in \"floors\" of the "
              "suite's policy.json in a change of its own. stepgate profile CASE shows what takes the time of a step.",
          .metric = verdict.metric,
          .boundary = step.empty() || longest.empty() ? "" : longest.front().boundary};
}

/// "samples at least 4 000 samples/s (3 700 samples/s before, 4 480 samples/s now)"
std::string met_text(const LimitVerdict& target, const MetricVerdict& verdict) {
  const MetricUnit unit = unit_of(target.limit.metric);
  return fmt::format("{} ({} before, {} now)", asked_text(target.limit), quantity_text(unit, *verdict.baseline),
                     quantity_text(unit, *target.current));
}

/// All targets that an improvement met, in one sentence: several rates often tell of one step time.
std::vector<Finding> met_targets(const JudgedComparison& input) {
  std::vector<std::string> metrics;
  std::string names;
  for (const LimitVerdict& limit : input.verdict.limits) {
    const MetricVerdict* verdict = verdict_on(input, limit.limit.metric);
    if (!limit.newly_met || verdict == nullptr || !verdict->baseline || !limit.current) continue;
    metrics.push_back(limit.limit.metric);
    names += (names.empty() ? "" : "; ") + met_text(limit, *verdict);
  }
  if (metrics.empty()) return {};
  return {Finding{.code = FindingCode::target_met,
                  .severity = Severity::note,
                  .message = fmt::format("a target is met that was not met before: {}", names),
                  .advice = "make it a floor or a budget to keep what was won, or set the next target.",
                  .metric = metrics.front(),
                  .also = std::vector<std::string>(metrics.begin() + 1, metrics.end())}};
}

}  // namespace

std::vector<Finding> explain_limits(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (verdict.reason == ReasonCode::over_budget) findings.push_back(over_budget(input, verdict));
    if (verdict.reason == ReasonCode::below_floor) findings.push_back(below_floor(input, verdict));
  }
  for (Finding& finding : met_targets(input)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace stepgate
