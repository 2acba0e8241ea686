#include "judge/rules/boundary_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "stats/holm.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// A boundary with values on both sides.
struct TestedBoundary {
  std::size_t index;
  TimedComparison comparison;
  double p_value;
};

/// The probability of an estimate at least this far above the ignore margin if the true change equals the margin.
double p_value_of(const TimedComparison& comparison) {
  const Estimate& estimate = comparison.stored.estimate;
  const double t = (estimate.theta - std::log1p(comparison.margins.ignore)) / estimate.standard_error;
  return student_t_upper_tail(t, estimate.degrees_of_freedom);
}

struct AdjustedTest {
  double p = 1;  ///< by Holm over the boundaries of the case
  double alpha = 0;
};

void settle_tested(const Metric& metric, const TestedBoundary& tested, const AdjustedTest& adjusted,
                   MetricVerdict& verdict) {
  const std::string detail = fmt::format("{}; adjusted p {:.2g}", describe(tested.comparison, metric), adjusted.p);
  if (adjusted.p <= adjusted.alpha) {
    settle(verdict, Status::regressed, reason_of_slower(verdict.metric), detail);
  } else if (tested.comparison.decision.call == Call::inconclusive ||
             tested.comparison.decision.call == Call::regressed) {
    settle(verdict, Status::inconclusive, ReasonCode::not_significant, detail);
  } else {
    settle(verdict, Status::pass, ReasonCode::within_limit, detail);
  }
}

/// All values of a metric in the baseline's sessions.
std::vector<double> stored_values(const TimedContext& context, const std::string& metric) {
  std::vector<double> result;
  for (const SessionCluster& cluster : context.clusters) {
    for (const Session* session : cluster) {
      const auto values = session->timed.find(metric);
      if (values != session->timed.end()) result.insert(result.end(), values->second.begin(), values->second.end());
    }
  }
  return result;
}

bool all_finite(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// Ratios may be zero or negative, so they have no geometric mean.
void fill_plain_means(const Metric& metric, const TimedContext& context, MetricVerdict& verdict) {
  const std::string name(metric.name);
  const std::vector<double> stored = stored_values(context, name);
  const std::vector<double>& current = context.input.current.timed.at(name);
  if (!all_finite(stored) || !all_finite(current)) return;
  verdict.baseline = mean(stored);
  verdict.current = mean(current);
  settle(verdict, Status::not_judged, ReasonCode::not_tested,
         fmt::format("{} -> {}", quantity_text(metric.unit, *verdict.baseline),
                     quantity_text(metric.unit, *verdict.current)));
}

}  // namespace

bool is_tested_beside_red(std::string_view metric) { return is_boundary_time(metric) || is_explaining_latency(metric); }

ReasonCode reason_of_slower(std::string_view metric) {
  return is_boundary_time(metric) ? ReasonCode::boundary_slower : ReasonCode::percentile_slower;
}

MetricVerdict untested(const Metric& metric, TimedContext& context) {
  const BaselineSide side = timed_side(context.input);
  const std::string name(metric.name);
  const bool measured = context.input.current.timed.contains(name);
  const Presence presence{metric, measured, !stored_values(context, name).empty()};
  if (auto verdict = without_comparison(presence, side, context.input.current)) return *verdict;
  MetricVerdict verdict = open_verdict(metric, side.scope);
  settle(verdict, Status::not_judged, ReasonCode::not_tested, "");
  if (const auto comparison = compare_timed(metric, context)) {
    fill_figures(*comparison, metric, verdict);
    verdict.detail = describe(*comparison, metric);
  } else {
    fill_plain_means(metric, context, verdict);
  }
  return verdict;
}

std::vector<MetricVerdict> test_boundaries(const std::vector<Metric>& boundaries, TimedContext& context) {
  std::vector<MetricVerdict> verdicts;
  std::vector<TestedBoundary> tested;
  std::vector<double> p_values;
  for (const Metric& metric : boundaries) {
    verdicts.push_back(untested(metric, context));
    const auto comparison = compare_timed(metric, context);
    if (verdicts.back().reason != ReasonCode::not_tested || !comparison) continue;
    p_values.push_back(p_value_of(*comparison));
    tested.push_back({verdicts.size() - 1, *comparison, p_values.back()});
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    const std::size_t index = tested[i].index;
    settle_tested(boundaries[index], tested[i], {adjusted[i], context.input.policy.alpha}, verdicts[index]);
  }
  return verdicts;
}

}  // namespace stepgate
