#include "experiment/pairs/explained_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/difference/difference_findings.h"
#include "diagnose/difference/find_step_difference.h"
#include "experiment/pairs/observed_pairs.h"
#include "json/results/step_difference_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

/// The times of a step or request, which the operators add up to.
constexpr std::string_view step_times[] = {"step_time_ns", "step_time_mean_ns", "latency_mean_ns"};

const MetricVerdict* regressed_step_time(const CaseVerdict& verdict) {
  for (const std::string_view name : step_times) {
    for (const MetricVerdict& metric : verdict.metrics) {
      if (metric.metric == name && metric.gating && metric.status == Status::regressed) return &metric;
    }
  }
  return nullptr;
}

/// Causes before warnings before notes, in the order that they came in.
void add_findings(std::vector<Finding> found, Outcome& outcome) {
  std::move(found.begin(), found.end(), std::back_inserter(outcome.findings));
  std::stable_sort(outcome.findings.begin(), outcome.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

std::optional<TimedChange> timed_change(const MetricVerdict& metric) {
  if (!metric.baseline || !metric.change) return std::nullopt;
  return TimedChange{.step_ns = *metric.baseline, .change_ns = *metric.baseline * *metric.change};
}

StepDifference difference_of(const PairCase& pair_case, ObservedPairs observed, const MetricVerdict& metric) {
  StepDifference difference = step_difference(
      {.base = std::move(observed.base), .head = std::move(observed.head), .timed = timed_change(metric)});
  difference.case_name = pair_case.plan.case_name;
  difference.base_commit = pair_case.plan.base_commit;
  difference.head_commit = pair_case.plan.head_commit;
  if (!observed.problem.empty()) difference.notes.push_back(observed.problem + ": only changed work is listed");
  return difference;
}

}  // namespace

void explain_time(const PairRun& pairs, const PairCase& pair_case, Outcome& outcome) {
  const MetricVerdict* metric = regressed_step_time(outcome.verdict);
  if (!pairs.options.explain || metric == nullptr || pairs.run.caller.interrupted != 0) return;
  pairs.run.caller.observer.on_notice(
      {Severity::note, fmt::format("{}: the {} is slower; up to {:.0f} s to find where (--no-explain leaves it out)",
                                   pair_case.plan.case_name, metric->metric == "latency_mean_ns" ? "request" : "step",
                                   most_observing_s)});
  ObservedPairs observed = observe_pairs({.request = pair_case.case_plan.request,
                                          .builds = pair_case.builds,
                                          .folder = pair_case.folder / "observed",
                                          .order_seed = pair_case.plan.order_seed},
                                         pairs.run.caller);
  if (observed.base.empty() || observed.interrupted) {
    add_findings({{.code = FindingCode::time_not_explained,
                   .severity = Severity::note,
                   .message = "the lines that take the time were not looked for to the end: " + observed.problem,
                   .advice = observed.remedy,
                   .metric = metric->metric}},
                 outcome);
    return;
  }
  const StepDifference difference = difference_of(pair_case, std::move(observed), *metric);
  write_file_atomically(pair_case.folder / "difference.json", to_text(difference));
  add_findings(difference_findings(difference, metric->metric), outcome);
}

}  // namespace stepgate
