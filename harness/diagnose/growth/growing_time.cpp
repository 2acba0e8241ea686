#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// Of saying that an unchanged step time grows. A note costs a reader's time, so it is rarer than a red.
constexpr double chance_of_trend = 0.001;

constexpr std::size_t fewest_processes = 4;

std::vector<double> slopes_of_processes(const std::vector<StepTrend>& trends) {
  std::vector<double> slopes;
  for (const StepTrend& trend : trends) slopes.push_back(trend.per_step);
  return slopes;
}

bool all_positive(const std::vector<double>& slopes) {
  return std::all_of(slopes.begin(), slopes.end(), [](double slope) { return slope > 0; });
}

/// By how much the head's step time grows from step to step beyond that of the base, and the standard error.
struct TimeGrowth {
  double per_step;
  double noise;
  double freedom;
};

TimeGrowth time_growth(const std::vector<double>& head, const std::vector<double>& base) {
  const auto n = static_cast<double>(head.size());
  if (base.empty()) return {mean(head), std::sqrt(sample_variance(head) / n), n - 1};
  const auto m = static_cast<double>(base.size());
  const double pooled = (sample_variance(head) * (n - 1) + sample_variance(base) * (m - 1)) / (n + m - 2);
  return {mean(head) - mean(base), std::sqrt(pooled * (1 / n + 1 / m)), n + m - 2};
}

bool is_red_time(const JudgedComparison& input) {
  return is_red(input, "step_time_ns") || is_red(input, "step_time_mean_ns");
}

}  // namespace

std::vector<Finding> explain_growing_time(const JudgedComparison& input) {
  const PairedReference* paired = paired_reference(input);
  const std::vector<double> head = slopes_of_processes(input.current.step_trends);
  const std::vector<double> base = slopes_of_processes(paired == nullptr ? std::vector<StepTrend>{} : paired->trends);
  const bool has_base = base.size() >= fewest_processes;
  if (head.size() < fewest_processes || (!base.empty() && !has_base) || !all_positive(head)) return {};
  const TimeGrowth growth = time_growth(head, base);
  if (growth.per_step <= growth.noise * student_t_upper_quantile(chance_of_trend, growth.freedom)) return {};
  const auto steps = static_cast<double>(input.current.step_trends.front().steps);
  const double over_pass = std::expm1(growth.per_step * (steps - 1));
  // A machine that warms up gets slower in every process. Only a base beside it would show that.
  if (!has_base && over_pass < input.policy.margins.matter) return {};
  return {{.code = FindingCode::grows_with_steps,
           .severity = has_base && is_red_time(input) ? Severity::cause : Severity::note,
           .message = fmt::format("grows with the number of the step: the step time, {} from the first to the last of "
                                  "{:.0f} steps in the mean of {} processes, each of which got slower{}",
                                  change_text(over_pass), steps, head.size(),
                                  has_base ? "; the base as far as it grows is taken off"
                                           : "; nothing beside it shows whether the machine did"),
           .advice = "look for what each step adds to and a later step walks through: a list, a log, a map that is "
                     "never cleared. The host's memory and the counts per step say whether it is kept.",
           .metric = "step_time_ns"}};
}

}  // namespace stepgate
