#include "judge/verdict/paired_half.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "core/leading_time.h"
#include "core/stored/metric_margins.h"
#include "core/text/number_format.h"
#include "judge/rules/boundary_rule.h"
#include "judge/rules/comparable.h"
#include "judge/rules/pair_checks.h"
#include "judge/rules/timed_comparison.h"
#include "judge/verdict/following_metrics.h"
#include "judge/verdict/gating_metrics.h"
#include "judge/verdict/paired_verdict.h"
#include "judge/verdict/shared_rates.h"
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
  bool is_sound;  ///< its differences are independent draws around one change, as far as the checks of pairs can tell
};

bool are_sound(const PairLogs& logs) {
  if (!(sample_variance(logs.differences) > 0)) return false;  // no measurement gives equal differences
  const PairChecks checks = check_pairs(logs.differences, {logs.base, logs.head});
  return !checks.autocorrelated && !checks.drifting && !checks.two_modes;
}

std::optional<TestedPairs> prepare(const Metric& metric, const PairedContext& context, std::size_t index) {
  const auto comparison = compare_pairs(metric, context);
  if (!comparison || comparison->logs.differences.size() < 2) return std::nullopt;
  const Margins margins = margins_of(context.input.policy, metric.name);
  const Estimate estimate = estimate_over_all(comparison->logs);
  const double t = (estimate.theta - std::log1p(margins.ignore)) / estimate.standard_error;
  return TestedPairs{index, estimate, margins, student_t_upper_tail(t, estimate.degrees_of_freedom),
                     are_sound(comparison->logs)};
}

void settle_tested_pairs(const TestedPairs& tested, double adjusted, const Policy& policy, MetricVerdict& verdict) {
  const std::string detail = fmt::format("{}; adjusted p {:.2g}", verdict.detail, adjusted);
  const Call call = decide(tested.estimate, tested.margins, ErrorShares{.red = policy.alpha, .pass = policy.beta}).call;
  if (adjusted <= policy.alpha) {
    settle(verdict, Status::regressed, reason_of_slower(verdict.metric), detail);
  } else if (call == Call::inconclusive || call == Call::regressed) {
    settle(verdict, Status::inconclusive, ReasonCode::not_significant, detail);
  } else {
    settle(verdict, Status::pass, ReasonCode::within_limit, detail);
  }
}

/// A boundary that can be tested, with its p-value adjusted by Holm over all of them.
struct AdjustedPairs {
  TestedPairs tested;
  double p;
};

/// Adds the values of all boundaries, and returns those that can be tested.
std::vector<AdjustedPairs> add_boundaries(const std::vector<Metric>& boundaries, const PairedContext& context,
                                          std::vector<MetricVerdict>& verdicts) {
  std::vector<AdjustedPairs> tested;
  std::vector<double> p_values;
  for (const Metric& metric : boundaries) {
    verdicts.push_back(untested_pairs(metric, context));
    if (const auto ready = prepare(metric, context, verdicts.size() - 1)) {
      tested.push_back({*ready, ready->p_value});
      p_values.push_back(ready->p_value);
    }
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < tested.size(); ++i) tested[i].p = adjusted[i];
  return tested;
}

const MetricVerdict* green_step(const std::vector<MetricVerdict>& verdicts) {
  const auto step = std::find_if(verdicts.begin(), verdicts.end(),
                                 [](const MetricVerdict& verdict) { return is_leading_time(verdict.metric); });
  const bool green =
      step != verdicts.end() && (step->status == Status::pass || step->status == Status::improved) && step->baseline;
  return green ? &*step : nullptr;
}

/// The error share of these notes: alpha over the cases of the suite, of which each has as many gating times as count
/// in M, and over the five interim analyses at which a run may end.
double share_of_notes(const PairedContext& context) {
  const auto analyses = static_cast<double>(context.rule.plan().analyses.size());
  const auto hypotheses = static_cast<double>(std::max<std::int64_t>(1, context.input.hypotheses));
  const double of_case =
      std::min(1.0, static_cast<double>(gating_timed_metrics_per_case(context.input.device)) / hypotheses);
  return context.input.policy.alpha * of_case / analyses;
}

/// A boundary that certainly got slower beside a step that did not is worth a line, unless it takes less of the step
/// than the step's ignore margin, which counts as no change of the step either.
void note_slower(const std::vector<AdjustedPairs>& all, const PairedContext& context,
                 std::vector<MetricVerdict>& verdicts) {
  const MetricVerdict* step = green_step(verdicts);
  if (step == nullptr) return;
  const double step_ns = *step->baseline;
  const double least = margins_of(context.input.policy, step->metric).ignore;
  const auto first_analysis = static_cast<double>(context.rule.plan().analyses.front().pairs);
  for (const auto& [tested, p] : all) {
    MetricVerdict& verdict = verdicts[tested.index];
    if (!is_boundary_time(verdict.metric)) continue;
    const bool sure =
        tested.is_sound && p <= share_of_notes(context) && tested.estimate.degrees_of_freedom + 1 >= first_analysis;
    if (!sure || !verdict.baseline) continue;
    const double share = *verdict.baseline * std::expm1(tested.estimate.theta) / step_ns;
    if (share < least) continue;
    settle(verdict, Status::not_judged, ReasonCode::slower_below_margin,
           fmt::format("{}; adjusted p {:.2g}; {} of the step", verdict.detail, p, change_text(share)));
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
  // If no pair of a case is clean, its step is inconclusive.
  if (names.empty() && pairs_of(input)->tainted_pairs + pairs_of(input)->set_aside_pairs > 0)
    names.insert("step_time_ns");
  return with_gating_rates(input, metrics_named(names, Tier::timed));
}

MetricVerdict judge_gating(const Metric& metric, const PairedContext& context) {
  if (auto unmeasured = unmeasured_rate(metric, context.input)) return *unmeasured;
  MetricVerdict verdict = judge_pairs(metric, context);
  require_equal_work(metric, *pairs_of(context.input), verdict);
  return verdict;
}

}  // namespace

std::vector<MetricVerdict> judge_paired_half(const Comparison& input) {
  const PairedContext context = paired_context(input);
  std::vector<MetricVerdict> verdicts;
  std::vector<Metric> boundaries;
  for (const Metric& metric : paired_metrics(input)) {
    if (is_tested_beside_red(metric.name)) {
      boundaries.push_back(metric);
    } else {
      verdicts.push_back(metric.gates ? judge_gating(metric, context) : untested_pairs(metric, context));
    }
  }
  leave_following_undecided(context, verdicts);
  const bool red = std::any_of(verdicts.begin(), verdicts.end(), [](const MetricVerdict& verdict) {
    return verdict.gating && verdict.status == Status::regressed;
  });
  const std::vector<AdjustedPairs> tested = add_boundaries(boundaries, context, verdicts);
  if (!red) note_slower(tested, context, verdicts);
  for (const auto& [pairs, p] : tested) {
    if (red) settle_tested_pairs(pairs, p, input.policy, verdicts[pairs.index]);
  }
  return verdicts;
}

}  // namespace stepgate
