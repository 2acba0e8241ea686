#include "experiment/results/times_of_measurement.h"

#include <algorithm>
#include <string_view>

#include "experiment/results/case_judgement.h"
#include "judge/reduce/flop_rate.h"
#include "judge/reduce/reduce_case.h"
#include "judge/reduce/step_distributions.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::optional<double> median_of(const CaseValues& values, const std::string& metric) {
  const auto at = values.timed.find(metric);
  return at == values.timed.end() || at->second.empty() ? std::nullopt : std::optional(median(at->second));
}

std::optional<double> current_of(const CaseVerdict& verdict, std::string_view metric) {
  const auto at = std::find_if(verdict.metrics.begin(), verdict.metrics.end(),
                               [&](const MetricVerdict& each) { return each.metric == metric; });
  return at == verdict.metrics.end() ? std::nullopt : at->current;
}

}  // namespace

MeasuredTimes measured_times(const Project& project, const CasePlan& plan, const Measurement& measurement) {
  const CaseValues values = comparison_of(project, plan, case_values(measurement)).current;
  MeasuredTimes times{.case_name = measurement.case_name, .distributions = step_distributions(measurement)};
  times.tflop_per_s = median_of(values, "tflop_per_s");
  times.mfu_ratio = median_of(values, "mfu_ratio");
  const auto reason = values.absent.find("mfu_ratio");
  if (times.tflop_per_s && !times.mfu_ratio && reason != values.absent.end()) times.why_no_mfu = reason->second;
  return times;
}

MeasuredTimes stored_times(const Outcome& outcome) {
  MeasuredTimes times{.case_name = outcome.verdict.case_name,
                      .distributions = outcome.distributions,
                      .tflop_per_s = current_of(outcome.verdict, "tflop_per_s"),
                      .mfu_ratio = current_of(outcome.verdict, "mfu_ratio")};
  // A peak that the policy stated would have given an MFU, so the table of peaks alone has the reason.
  if (times.tflop_per_s && !times.mfu_ratio) times.why_no_mfu = device_peak(outcome.fingerprint, {}).reason;
  return times;
}

}  // namespace stepgate
