#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/questions.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// Of saying that an unchanged step time grows. A note costs a reader's time, so it is rarer than a red.
constexpr double chance_of_trend = 0.001;

constexpr std::size_t fewest_processes = 4;

/// A boundary that explains less than half of what the step takes more is not the cause of its red.
constexpr double leading_share = 0.5;
/// Nor is growth that within these steps makes less than a quarter of what the boundary takes more: a part of it may
/// have come in steps before the pass, but a boundary that is merely slower has none.
constexpr double growing_share = 0.25;

/// What one process's trend says of the step or of a boundary; absent where it has none.
using SlopeOf = std::function<std::optional<double>(const StepTrend&)>;

std::vector<double> slopes_of_processes(const std::vector<StepTrend>& trends, const SlopeOf& slope_of) {
  std::vector<double> slopes;
  for (const StepTrend& trend : trends) {
    if (const auto slope = slope_of(trend)) slopes.push_back(*slope);
  }
  return slopes;
}

bool all_positive(const std::vector<double>& slopes) {
  return std::all_of(slopes.begin(), slopes.end(), [](double slope) { return slope > 0; });
}

/// By how much the head's time grows from step to step beyond that of the base, and the standard error.
struct TimeGrowth {
  double per_step;
  double noise;
  double freedom;

  bool is_certain(double chance) const { return per_step > noise * student_t_upper_quantile(chance, freedom); }
};

TimeGrowth time_growth(const std::vector<double>& head, const std::vector<double>& base) {
  const auto n = static_cast<double>(head.size());
  if (base.empty()) return {mean(head), std::sqrt(sample_variance(head) / n), n - 1};
  const auto m = static_cast<double>(base.size());
  const double pooled = (sample_variance(head) * (n - 1) + sample_variance(base) * (m - 1)) / (n + m - 2);
  return {mean(head) - mean(base), std::sqrt(pooled * (1 / n + 1 / m)), n + m - 2};
}

std::vector<StepTrend> trends_of_base(const JudgedComparison& input) {
  const PairedReference* paired = paired_reference(input);
  return paired == nullptr ? std::vector<StepTrend>{} : paired->trends;
}

constexpr const char* growth_advice =
    "look for what each step adds to and a later step walks through: a list, a log, a map that is never cleared. The "
    "host's memory and the counts per step say whether it is kept.";

std::optional<Finding> growing_step(const JudgedComparison& input) {
  const SlopeOf of_step = [](const StepTrend& trend) { return std::optional(trend.per_step); };
  const std::vector<double> head = slopes_of_processes(input.current.step_trends, of_step);
  const std::vector<double> base = slopes_of_processes(trends_of_base(input), of_step);
  const bool has_base = base.size() >= fewest_processes;
  if (head.size() < fewest_processes || (!base.empty() && !has_base) || !all_positive(head)) return std::nullopt;
  const TimeGrowth growth = time_growth(head, base);
  if (!growth.is_certain(chance_of_trend)) return std::nullopt;
  const auto steps = static_cast<double>(input.current.step_trends.front().steps);
  const double over_pass = std::expm1(growth.per_step * (steps - 1));
  // A machine that warms up gets slower in every process. Only a base beside it would show that.
  if (!has_base && over_pass < input.policy.margins.matter) return std::nullopt;
  return Finding{.code = FindingCode::grows_with_steps,
                 .severity = has_base && is_whole_time_red(input) ? Severity::cause : Severity::note,
                 .message = fmt::format("grows with the number of the step: the step time, {} from the first to the "
                                        "last of {:.0f} steps in the mean of {} processes, each of which got slower{}",
                                        change_text(over_pass), steps, head.size(),
                                        has_base ? "; the base as far as it grows is taken off"
                                                 : "; nothing beside it shows whether the machine did"),
                 .advice = growth_advice,
                 .metric = leading_time(input)};
}

/// Whether the step is red, and this boundary takes half of what it takes more.
bool explains_step(const JudgedComparison& input, const std::string& boundary) {
  const auto time = timed_pair(input, boundary_time_metric(boundary));
  for (const char* metric : {"step_time_ns", "step_time_mean_ns", "latency_mean_ns"}) {
    const auto step = timed_pair(input, metric);
    if (is_red(input, metric) && time && step && time->difference() >= leading_share * step->difference()) return true;
  }
  return false;
}

/// How much longer the loader alone takes for the samples of a step; infinite where its supply is not red.
double longer_loading_ns(const JudgedComparison& input) {
  const auto supply = timed_pair(input, "loader_samples_per_s");
  const auto rate = timed_pair(input, "samples_per_s");
  const auto step = timed_pair(input, "step_time_mean_ns");
  const bool known = supply && rate && step && supply->before > 0 && supply->now > 0;
  if (!is_red(input, "loader_samples_per_s") || !known) return std::numeric_limits<double>::infinity();
  const double samples_ns = rate->before * step->before;  // samples of a step, times the ns of a second
  return samples_ns / supply->now - samples_ns / supply->before;
}

/// Whether a boundary whose time grows by so much within the pass is what made the step or the loader red.
bool explains_red(const JudgedComparison& input, const std::string& boundary, double over_pass_ns) {
  const auto time = timed_pair(input, boundary_time_metric(boundary));
  if (!time || over_pass_ns < growing_share * time->difference()) return false;
  if (boundary == name_of(Boundary::data_wait) && over_pass_ns >= growing_share * longer_loading_ns(input)) return true;
  return explains_step(input, boundary);
}

/// In pairs only: a machine that warms up slows its boundaries down, too.
std::optional<Finding> growing_boundary(const JudgedComparison& input, const std::string& boundary, double chance) {
  const SlopeOf of_boundary = [&](const StepTrend& trend) -> std::optional<double> {
    const auto at = trend.boundary_ns_per_step.find(boundary);
    return at == trend.boundary_ns_per_step.end() ? std::nullopt : std::optional(at->second);
  };
  const std::vector<double> head = slopes_of_processes(input.current.step_trends, of_boundary);
  const std::vector<double> base = slopes_of_processes(trends_of_base(input), of_boundary);
  if (std::min(head.size(), base.size()) < fewest_processes || !all_positive(head)) return std::nullopt;
  const TimeGrowth growth = time_growth(head, base);
  if (!growth.is_certain(chance)) return std::nullopt;
  const auto steps = static_cast<double>(input.current.step_trends.front().steps);
  const double over_pass_ns = growth.per_step * (steps - 1);
  return Finding{.code = FindingCode::grows_with_steps,
                 .severity = explains_red(input, boundary, over_pass_ns) ? Severity::cause : Severity::note,
                 .message = fmt::format("grows with the number of the step: the time of {}, {} from the first to the "
                                        "last of {:.0f} steps in the mean of {} processes, in each of which it grew; "
                                        "the base as far as it grows is taken off",
                                        boundary, difference_text(MetricUnit::ns, over_pass_ns), steps, head.size()),
                 .advice = growth_advice,
                 .metric = leading_time(input),
                 .boundary = boundary};
}

}  // namespace

std::vector<Finding> explain_growing_time(const JudgedComparison& input) {
  std::vector<Finding> findings;
  const std::vector<std::string> boundaries = boundary_names(input);
  for (const std::string& boundary : boundaries) {
    const double chance = chance_of_trend / static_cast<double>(boundaries.size());
    if (auto growing = growing_boundary(input, boundary, chance)) findings.push_back(std::move(*growing));
  }
  const bool explained = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.severity == Severity::cause && explains_step(input, finding.boundary);
  });
  auto step = explained ? std::nullopt : growing_step(input);
  // A note on the step adds nothing to boundaries that are named.
  if (step && (findings.empty() || step->severity == Severity::cause)) findings.insert(findings.begin(), *step);
  return findings;
}

}  // namespace stepgate
