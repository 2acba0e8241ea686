#include "judge/verdict/paired_half.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "core/stored/metric_margins.h"
#include "core/text/number_format.h"
#include "judge/rules/boundary_rule.h"
#include "judge/rules/comparable.h"
#include "judge/rules/timed_comparison.h"
#include "judge/verdict/following_metrics.h"
#include "judge/verdict/paired_verdict.h"
#include "stats/holm.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// The mean over all pairs, including those after the deciding interim analysis: an explanation uses all evidence.
Estimate estimate_over_all(const PairLogs& logs) {
  const auto n = static_cast<double>(logs.differences.size());
  const double spread = std::max(timer_resolution * std::sqrt(2.0), std::sqrt(sample_variance(logs.differences)));
  return {.theta = mean(logs.differences), .standard_error = spread / std::sqrt(n), .degrees_of_freedom = n - 1};
}

/// Ratios may be zero or negative, so they have no logarithm.
void fill_plain_means(const std::vector<Pair>& pairs, const Metric& metric, MetricVerdict& verdict) {
  double base = 0;
  double head = 0;
  for (const Pair& pair : pairs) {
    base += pair.base;
    head += pair.head;
  }
  if (pairs.empty() || !std::isfinite(base) || !std::isfinite(head)) return;
  verdict.baseline = base / static_cast<double>(pairs.size());
  verdict.current = head / static_cast<double>(pairs.size());
  verdict.detail = fmt::format("{} -> {}", quantity_text(metric.unit, *verdict.baseline),
                               quantity_text(metric.unit, *verdict.current));
}

MetricVerdict untested_pairs(const Metric& metric, const PairedContext& context) {
  MetricVerdict verdict = open_verdict(metric, Scope::runner);
  settle(verdict, Status::not_judged, ReasonCode::not_tested, "");
  const auto pairs = pairs_of(context.input)->timed.find(std::string(metric.name));
  if (pairs == pairs_of(context.input)->timed.end() || pairs->second.empty()) {
    settle(verdict, Status::skipped, ReasonCode::no_pairs, "no pair measured it on both sides");
  } else if (const auto comparison = compare_pairs(metric, context)) {
    fill_figures(*comparison, context, verdict);
    verdict.detail = describe(*comparison, verdict);
  } else {
    fill_plain_means(pairs->second, metric, verdict);
  }
  return verdict;
}

/// A boundary that can be tested.
struct TestedPairs {
  std::size_t index;
  Estimate estimate;
  Margins margins;
  double p_value;
};

std::optional<TestedPairs> prepare(const Metric& metric, const PairedContext& context, std::size_t index) {
  const auto comparison = compare_pairs(metric, context);
  if (!comparison || comparison->logs.differences.size() < 2) return std::nullopt;
  const Margins margins = margins_of(context.input.policy, metric.name);
  const Estimate estimate = estimate_over_all(comparison->logs);
  const double t = (estimate.theta - std::log1p(margins.ignore)) / estimate.standard_error;
  return TestedPairs{index, estimate, margins, student_t_upper_tail(t, estimate.degrees_of_freedom)};
}

void settle_tested_pairs(const TestedPairs& tested, double adjusted, const Policy& policy, MetricVerdict& verdict) {
  const std::string detail = fmt::format("{}; adjusted p {:.2g}", verdict.detail, adjusted);
  const Call call = decide(tested.estimate, tested.margins, ErrorShares{.red = policy.alpha, .pass = policy.beta}).call;
  if (adjusted <= policy.alpha) {
    settle(verdict, Status::regressed, ReasonCode::boundary_slower, detail);
  } else if (call == Call::inconclusive || call == Call::regressed) {
    settle(verdict, Status::inconclusive, ReasonCode::not_significant, detail);
  } else {
    settle(verdict, Status::pass, ReasonCode::within_limit, detail);
  }
}

void test_boundaries(const std::vector<Metric>& boundaries, const PairedContext& context,
                     std::vector<MetricVerdict>& verdicts) {
  std::vector<TestedPairs> tested;
  std::vector<double> p_values;
  for (const Metric& metric : boundaries) {
    verdicts.push_back(untested_pairs(metric, context));
    if (const auto ready = prepare(metric, context, verdicts.size() - 1)) {
      tested.push_back(*ready);
      p_values.push_back(ready->p_value);
    }
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    settle_tested_pairs(tested[i], adjusted[i], context.input.policy, verdicts[tested[i].index]);
  }
}

std::vector<Metric> paired_metrics(const Comparison& input) {
  std::set<std::string_view> names;
  for (const auto& [name, values] : input.current.timed) names.insert(name);
  for (const auto& [name, pairs] : pairs_of(input)->timed) names.insert(name);
  for (const auto& [name, why] : pairs_of(input)->lost) {
    const Metric* metric = find_metric(name);
    if (metric != nullptr && metric->gates) names.insert(name);
  }
  // If all pairs of a case are tainted, its step is inconclusive.
  if (names.empty() && pairs_of(input)->tainted_pairs > 0) names.insert("step_time_ns");
  return metrics_named(names, Tier::timed);
}

}  // namespace

std::vector<MetricVerdict> judge_paired_half(const Comparison& input) {
  const PairedContext context = paired_context(input);
  std::vector<MetricVerdict> verdicts;
  std::vector<Metric> boundaries;
  for (const Metric& metric : paired_metrics(input)) {
    if (is_boundary_time(metric.name)) {
      boundaries.push_back(metric);
    } else {
      verdicts.push_back(metric.gates ? judge_pairs(metric, context) : untested_pairs(metric, context));
    }
  }
  leave_following_undecided(context, verdicts);
  const bool red = std::any_of(verdicts.begin(), verdicts.end(), [](const MetricVerdict& verdict) {
    return verdict.gating && verdict.status == Status::regressed;
  });
  if (red) {
    test_boundaries(boundaries, context, verdicts);
  } else {
    for (const Metric& metric : boundaries) verdicts.push_back(untested_pairs(metric, context));
  }
  return verdicts;
}

}  // namespace stepgate
