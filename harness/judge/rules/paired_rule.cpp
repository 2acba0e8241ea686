#include "judge/rules/paired_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "judge/interval/stored_estimate.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The power of every reported detectable change (docs/design/statistics.md, "Detectable change").
constexpr double pairs_power = 0.95;
/// In a plan with several interim analyses, half of the misses may be early passes.
constexpr double last_analysis_power = 0.975;

/// The input of one call of decide_pairs().
struct Sequence {
  std::span<const double> differences;
  const Margins& margins;
  const PairRule& rule;
  const ProcessLogs& processes;
};

/// The variance of a difference is the sum of both readings' variances.
double floored(double spread) { return std::max(spread, timer_resolution * std::sqrt(2.0)); }

Estimate estimate_of(double theta, double spread, std::int64_t pairs) {
  const auto n = static_cast<double>(pairs);
  return {.theta = theta, .standard_error = spread / std::sqrt(n), .degrees_of_freedom = n - 1};
}

/// Without a red share the lower bound uses the pass share; no decision uses that bound.
Interval interval_at(const Estimate& estimate, const CriticalValues& critical) {
  const double reach = std::isfinite(critical.red) ? critical.red : critical.pass;
  return {std::expm1(estimate.theta - reach * estimate.standard_error),
          std::expm1(estimate.theta + critical.pass * estimate.standard_error)};
}

ReasonCode reason_of(Call call) {
  switch (call) {
    case Call::pass:
      return ReasonCode::within_limit;
    case Call::improved:
      return ReasonCode::faster;
    case Call::regressed:
      return ReasonCode::regressed;
    case Call::inconclusive:
      break;
  }
  return ReasonCode::interval_too_wide;
}

ProcessLogs first_processes(const ProcessLogs& all, std::size_t pairs) {
  if (all.base.empty()) return {};
  return {all.base.first(pairs), all.head.first(pairs)};
}

bool all_equal(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double each) { return each == values.front(); });
}

/// The decision at one interim analysis, without `more_pairs` and `detectable_change`.
PairedDecision decision_at(const Sequence& sequence, std::size_t index) {
  const auto& analyses = sequence.rule.plan().analyses;
  const auto pairs = static_cast<std::size_t>(analyses[index].pairs);
  const std::span<const double> seen = sequence.differences.first(pairs);
  const CriticalValues& critical = sequence.rule.critical(index);
  PairedDecision result;
  result.analysis = analyses[index].pairs;
  result.spread = floored(std::sqrt(sample_variance(seen)));
  result.estimate = estimate_of(mean(seen), result.spread, result.analysis);
  result.interval = interval_at(result.estimate, critical);
  result.call = decide(result.estimate, sequence.margins, critical).call;
  result.reason = reason_of(result.call);
  if (all_equal(seen)) {
    result.call = Call::inconclusive;
    result.reason = ReasonCode::constant_differences;
  }
  if (result.call == Call::inconclusive) return result;

  const PairChecks checks = check_pairs(seen, first_processes(sequence.processes, pairs));
  const bool last = index + 1 == analyses.size();
  if (checks.drifting) {
    result.reason = ReasonCode::drifting_differences;
  } else if (checks.autocorrelated) {
    result.reason = ReasonCode::autocorrelated_differences;
  } else if (checks.two_modes && !last) {
    result.reason = ReasonCode::two_modes;
  } else {
    return result;
  }
  result.call = Call::inconclusive;
  return result;
}

/// Pairs until the first interim analysis whose call, with the current change and spread, is one of those wanted.
template <typename IsWanted>
std::optional<std::int64_t> pairs_until(const Sequence& sequence, const PairedDecision& decision, IsWanted is_wanted) {
  const auto had = std::ssize(sequence.differences);
  const auto& analyses = sequence.rule.plan().analyses;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (analyses[i].pairs <= had) continue;
    const Estimate estimate = estimate_of(decision.estimate.theta, decision.spread, analyses[i].pairs);
    if (is_wanted(decide(estimate, sequence.margins, sequence.rule.critical(i)).call)) return analyses[i].pairs - had;
  }
  return std::nullopt;
}

std::optional<std::int64_t> more_pairs(const Sequence& sequence, const PairedDecision& decision) {
  return pairs_until(sequence, decision, [](Call call) { return call != Call::inconclusive; });
}

std::optional<std::int64_t> red_after(const Sequence& sequence, const PairedDecision& decision) {
  return pairs_until(sequence, decision, [](Call call) { return call == Call::regressed; });
}

/// Figures from fewer pairs than the first interim analysis needs; they decide nothing.
PairedDecision before_first_analysis(const Sequence& sequence) {
  PairedDecision result;
  result.reason = ReasonCode::too_few_pairs;
  result.interval = {-1, infinity};
  const auto pairs = std::ssize(sequence.differences);
  if (pairs < 2) {
    result.more_pairs = most_pairs(sequence.rule.plan()) == 0
                            ? std::nullopt
                            : std::optional(sequence.rule.plan().analyses.front().pairs - pairs);
    return result;
  }
  result.spread = floored(std::sqrt(sample_variance(sequence.differences)));
  result.estimate = estimate_of(mean(sequence.differences), result.spread, pairs);
  result.more_pairs = more_pairs(sequence, result);
  return result;
}

/// The first interim analysis that may call improved; absent if the plan has none.
std::optional<std::size_t> first_that_may_improve(const PairRule& rule) {
  for (std::size_t i = 0; i < rule.plan().analyses.size(); ++i) {
    if (std::isfinite(rule.critical(i).red)) return i;
  }
  return std::nullopt;
}

/// `passed`, or the improvement that it turns out to be. It never becomes red: a pass stands.
PairedDecision improved_if_so(const Sequence& sequence, PairedDecision passed) {
  const auto next = first_that_may_improve(sequence.rule);
  const bool looks_faster = std::log1p(passed.interval.upper) < -std::log1p(sequence.margins.ignore);
  if (!next || !looks_faster) return passed;
  const std::int64_t pairs = sequence.rule.plan().analyses[*next].pairs;
  if (pairs <= passed.analysis) return passed;
  const auto had = std::ssize(sequence.differences);
  if (had < pairs) {
    passed.improved_after = pairs - had;
    return passed;
  }
  PairedDecision later = decision_at(sequence, *next);
  return later.call == Call::improved ? later : passed;
}

void check_processes(const Sequence& sequence) {
  const ProcessLogs& processes = sequence.processes;
  if (processes.base.empty() && processes.head.empty()) return;
  if (processes.base.size() != sequence.differences.size() || processes.head.size() != sequence.differences.size()) {
    throw std::domain_error("decide_pairs: each side needs one process for each difference");
  }
}

}  // namespace

PairRule::PairRule(PairPlan plan, ErrorShares total) : plan_(std::move(plan)) {
  check_pair_plan(plan_);
  const CriticalValueTable checked(total);  // throws if a share is outside its range
  for (const InterimAnalysis& analysis : plan_.analyses) {
    const auto freedom = static_cast<double>(analysis.pairs - 1);
    const auto beyond = [freedom](double share) {
      return share > 0 ? student_t_upper_quantile(share, freedom) : infinity;
    };
    critical_.push_back(
        {.red = beyond(total.red * analysis.red_weight), .pass = beyond(total.pass * analysis.pass_weight)});
  }
  const InterimAnalysis& last = plan_.analyses.back();
  if (last.red_weight > 0) {
    noncentrality_ = detectable_noncentrality({.level = total.red * last.red_weight,
                                               .power = plan_.analyses.size() == 1 ? pairs_power : last_analysis_power,
                                               .degrees_of_freedom = static_cast<double>(last.pairs - 1)});
  } else {
    noncentrality_ = infinity;
  }
}

double PairRule::detectable_change(double spread, const Margins& margins) const {
  const double standard_error = spread / std::sqrt(static_cast<double>(most_pairs(plan_)));
  const double at_last = std::expm1(std::log1p(margins.ignore) + noncentrality_ * standard_error);
  return plan_.analyses.size() == 1 ? at_last : std::max(margins.matter, at_last);
}

PairedDecision decide_pairs(std::span<const double> differences, const Margins& margins, const PairRule& rule,
                            const ProcessLogs& processes) {
  const Sequence sequence{differences, margins, rule, processes};
  check_processes(sequence);
  if (!std::all_of(differences.begin(), differences.end(), [](double each) { return std::isfinite(each); })) {
    PairedDecision result;
    result.reason = ReasonCode::not_finite;
    result.interval = {-1, infinity};
    return result;
  }
  PairedDecision result = before_first_analysis(sequence);
  const auto& analyses = rule.plan().analyses;
  for (std::size_t i = 0; i < analyses.size() && analyses[i].pairs <= std::ssize(differences); ++i) {
    result = decision_at(sequence, i);
    if (result.call != Call::inconclusive) break;
    result.more_pairs = more_pairs(sequence, result);
    result.red_after = red_after(sequence, result);
  }
  if (result.call == Call::pass) result = improved_if_so(sequence, std::move(result));
  if (differences.size() < 2) return result;
  const double detectable = rule.detectable_change(result.spread, margins);
  if (std::isfinite(detectable)) result.detectable_change = detectable;  // infinite for a plan without red
  return result;
}

}  // namespace stepgate
