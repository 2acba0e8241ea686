#include "experiment/results/measured_times.h"

#include "experiment/results/case_judgement.h"
#include "judge/reduce/case_values.h"
#include "judge/reduce/step_distributions.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::optional<double> median_of(const CaseValues& values, const std::string& metric) {
  const auto at = values.timed.find(metric);
  return at == values.timed.end() || at->second.empty() ? std::nullopt : std::optional(median(at->second));
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

}  // namespace stepgate
