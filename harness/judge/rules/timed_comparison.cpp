#include "judge/rules/timed_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/stored/metric_margins.h"
#include "core/text/number_format.h"
#include "judge/rules/value_change.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

const std::vector<double>* current_values(const CaseValues& current, std::string_view metric) {
  const auto at = current.timed.find(std::string(metric));
  return at == current.timed.end() ? nullptr : &at->second;
}

double sign_of(const Metric& metric) { return metric.direction == Direction::higher_is_better ? -1 : 1; }

std::vector<double> present(const std::vector<std::optional<double>>& values) {
  std::vector<double> result;
  for (const auto& value : values) {
    if (value) result.push_back(*value);
  }
  return result;
}

/// A metric gets wider margins because it scatters more from session to session, so its prior grows with them. With the
/// prior of the step time, loader supply (measured in milliseconds) was red in 3 of 30 gates beside a memory hog.
Policy with_own_prior(const Policy& policy, const Margins& margins) {
  Policy own = policy;
  own.prior_spread *= std::max(1.0, margins.matter / policy.margins.matter);
  return own;
}

}  // namespace

TimedContext timed_context(const Comparison& input) {
  const ErrorShares shares{.red = input.policy.alpha / static_cast<double>(std::max<std::int64_t>(1, input.hypotheses)),
                           .pass = input.policy.beta};
  TimedContext context{input, {}, CriticalValueTable(shares)};
  if (input.runner) context.clusters = session_clusters(input.runner->sessions, input.policy.session_gap_s);
  return context;
}

std::optional<TimedComparison> compare_timed(const Metric& metric, TimedContext& context) {
  const std::vector<double>* values = current_values(context.input.current, metric.name);
  const auto current = values == nullptr ? std::nullopt : log_mean(*values);
  std::vector<double> sessions = present(cluster_log_means(context.clusters, std::string(metric.name)));
  if (!current || sessions.empty()) return std::nullopt;

  TimedComparison result;
  result.margins = margins_of(context.input.policy, metric.name);
  result.current = std::exp(*current);
  result.baseline = std::exp(mean(sessions));
  const double sign = sign_of(metric);
  for (double& session : sessions) session *= sign;
  const Policy own = with_own_prior(context.input.policy, result.margins);
  result.prior_spread = own.prior_spread;
  result.stored = stored_estimate(sign * *current, sessions, own);
  const Estimate& estimate = result.stored.estimate;
  result.decision = decide(estimate, result.margins, context.table.at(estimate.degrees_of_freedom));
  result.worse = std::expm1(estimate.theta);
  result.detectable_change = detectable_change(estimate, result.margins, context.table);
  return result;
}

void fill_figures(const TimedComparison& comparison, const Metric& metric, MetricVerdict& verdict) {
  verdict.baseline = comparison.baseline;
  verdict.current = comparison.current;
  verdict.change = value_change(metric, comparison.worse);
  verdict.interval = value_change(metric, comparison.decision.interval);
  verdict.limit = limit_text(metric, comparison.margins.ignore);
  verdict.detectable_change = comparison.detectable_change;
}

std::string describe(const TimedComparison& comparison, const Metric& metric) {
  const Interval interval = value_change(metric, comparison.decision.interval);
  return fmt::format("{} -> {}, {} {} against {}", quantity_text(metric.unit, comparison.baseline),
                     quantity_text(metric.unit, comparison.current),
                     change_text(value_change(metric, comparison.worse)), interval_text(interval.lower, interval.upper),
                     counted(comparison.stored.sessions, "session"));
}

}  // namespace stepgate
