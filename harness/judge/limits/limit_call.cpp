#include "judge/limits/limit_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "judge/interval/pair_plan.h"
#include "judge/rules/comparable.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

LimitVerdict unchecked(const AbsoluteLimit& limit, std::string why) {
  return {.limit = limit, .outcome = LimitOutcome::unchecked, .why = std::move(why)};
}

/// A single step or process beyond a limit of counts and bytes misses it: they have no noise.
LimitVerdict by_worst(const AbsoluteLimit& limit, const std::vector<double>& values, std::int64_t processes) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double worst = is_lower_limit(limit) ? *least : *most;
  return {.limit = limit,
          .outcome = keeps(limit, worst) ? LimitOutcome::met : LimitOutcome::missed,
          .current = worst,
          .processes = processes};
}

LimitVerdict call_exact(const Comparison& input, const AbsoluteLimit& limit) {
  const auto at = input.current.exact.find(limit.metric);
  std::vector<double> values;
  if (at != input.current.exact.end()) {
    for (const auto& steps : at->second) values.insert(values.end(), steps.begin(), steps.end());
  }
  if (values.empty()) return unchecked(limit, why_absent(limit.metric, input.current));
  return by_worst(limit, values, std::ssize(at->second));
}

LimitVerdict call_bytes(const Comparison& input, const AbsoluteLimit& limit) {
  const auto at = input.current.bytes.find(limit.metric);
  if (at == input.current.bytes.end() || at->second.empty())
    return unchecked(limit, why_absent(limit.metric, input.current));
  return by_worst(limit, std::vector<double>(at->second.begin(), at->second.end()), std::ssize(at->second));
}

/// How far the processes are from the limit: logarithms of value / limit, or where a value has none (a ratio of zero or
/// below) value - limit. 0 is the limit itself.
struct Excess {
  bool is_log = true;
  double limit = 0;
  double centre = 0;
  double standard_error = 0;  ///< 0 for one process, which has none
  double processes = 0;

  double quantity(double excess) const { return is_log ? limit * std::exp(excess) : limit + excess; }
};

Excess excess_over(const AbsoluteLimit& limit, std::span<const double> values) {
  Excess excess{.limit = limit.value, .processes = static_cast<double>(values.size())};
  excess.is_log = std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
  std::vector<double> distances;
  for (const double value : values)
    distances.push_back(excess.is_log ? std::log(value / limit.value) : value - limit.value);
  excess.centre = mean(distances);
  if (distances.size() > 1) excess.standard_error = std::sqrt(sample_variance(distances) / excess.processes);
  return excess;
}

bool keeps_by(const AbsoluteLimit& limit, double excess) { return is_lower_limit(limit) ? excess >= 0 : excess <= 0; }

std::int64_t wanted_processes(const Comparison& input) {
  return std::max<std::int64_t>(2, input.policy.min_clean_replicates);
}

/// The error on one side. A floor or budget decides a case, so it shares alpha over the suite, as the times do; a
/// target decides nothing, and its interval is the usual one.
double error_share(const Comparison& input, AbsoluteLimitKind kind) {
  if (kind == AbsoluteLimitKind::target) return input.policy.alpha / 2;
  return input.policy.alpha / static_cast<double>(std::max<std::int64_t>(1, input.hypotheses));
}

/// A floor or budget is tested by the first `processes` at this error.
struct LimitLook {
  std::int64_t processes = 0;
  double error = 0;
};

/// A run of pairs ends when its times are decided, so the processes that it has then are no fixed number. The looks at
/// them share the error, as those of the times do; without pairs there is one look.
std::vector<LimitLook> looks_at(const Comparison& input, AbsoluteLimitKind kind, std::int64_t processes) {
  const double error = error_share(input, kind);
  const PairedValues* pairs = pairs_of(input);
  if (pairs == nullptr || kind == AbsoluteLimitKind::target) return {LimitLook{processes, error}};
  const std::int64_t most = pairs->most_pairs > 0 ? pairs->most_pairs : most_pairs(default_pair_plan());
  const PairPlan plan = pair_plan_up_to(most);
  std::vector<LimitLook> looks;
  for (const InterimAnalysis& analysis : plan.analyses) {
    if (analysis.red_weight > 0 && analysis.pairs <= most)
      looks.push_back({.processes = analysis.pairs, .error = error * analysis.red_weight});
  }
  if (looks.empty()) looks.push_back({.processes = most, .error = error});
  return looks;
}

/// `reach` is half the width of the interval.
LimitOutcome outcome_of(const AbsoluteLimit& limit, const Excess& excess, double reach) {
  const bool least_keeps = keeps_by(limit, excess.centre - reach);
  const bool most_keeps = keeps_by(limit, excess.centre + reach);
  if (limit.kind != AbsoluteLimitKind::target && keeps_by(limit, excess.centre)) return LimitOutcome::met;
  if (least_keeps && most_keeps) return LimitOutcome::met;
  return least_keeps || most_keeps ? LimitOutcome::undecided : LimitOutcome::missed;
}

/// The mean alone meets a floor or budget, and misses nothing.
LimitOutcome outcome_of_few(const AbsoluteLimit& limit, const Excess& excess) {
  const bool met = limit.kind != AbsoluteLimitKind::target && keeps_by(limit, excess.centre);
  return met ? LimitOutcome::met : LimitOutcome::undecided;
}

/// What these processes say at this error, where `enough` of them are there.
LimitVerdict test_limit(const AbsoluteLimit& limit, std::span<const double> values, double error, bool enough) {
  const Excess excess = excess_over(limit, values);
  LimitVerdict verdict{.limit = limit, .current = excess.quantity(excess.centre), .processes = std::ssize(values)};
  double reach = 0;
  if (verdict.processes > 1) {
    reach = student_t_upper_quantile(error, excess.processes - 1) * excess.standard_error;
    const ValueBounds range{.lower = excess.quantity(excess.centre - reach),
                            .upper = excess.quantity(excess.centre + reach)};
    // Two processes that differ by a factor reach beyond any number, which no file can hold.
    if (std::isfinite(range.lower) && std::isfinite(range.upper)) verdict.range = range;
  }
  verdict.outcome = enough ? outcome_of(limit, excess, reach) : outcome_of_few(limit, excess);
  return verdict;
}

/// The last look that these processes are enough for, else the first one; a look that missed the limit ends it.
LimitVerdict call_by_looks(const Comparison& input, const AbsoluteLimit& limit, std::span<const double> values) {
  const auto had = std::ssize(values);
  const std::int64_t wanted = wanted_processes(input);
  const std::vector<LimitLook> looks = looks_at(input, limit.kind, had);
  double error = looks.front().error;
  std::int64_t next = wanted;
  for (const LimitLook& look : looks) {
    next = std::max(look.processes, wanted);
    if (next > had) break;
    error = look.error;
    LimitVerdict verdict = test_limit(limit, values.first(static_cast<std::size_t>(next)), error, true);
    if (verdict.outcome == LimitOutcome::missed) return verdict;
  }
  LimitVerdict verdict = test_limit(limit, values, error, had >= wanted);
  if (verdict.outcome == LimitOutcome::missed) verdict.outcome = LimitOutcome::undecided;  // between two looks
  if (verdict.outcome == LimitOutcome::undecided && next > had)
    verdict.why = fmt::format("it takes {} clean processes to tell", next);
  return verdict;
}

/// The harness cannot tell the energy of two processes apart that take turns, whatever the program does.
bool is_lost_to_turns(const Comparison& input, const Metric& metric) {
  return metric.unit == MetricUnit::joule && input.current.took_turns;
}

LimitVerdict call_timed(const Comparison& input, const Metric& metric, const AbsoluteLimit& limit) {
  const auto at = input.current.timed.find(limit.metric);
  if (at == input.current.timed.end() || at->second.empty()) {
    LimitVerdict verdict = unchecked(limit, why_absent(limit.metric, input.current));
    if (is_lost_to_turns(input, metric)) verdict.outcome = LimitOutcome::not_judged;
    return verdict;
  }
  const std::vector<double>& values = at->second;
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    return unchecked(limit, "a measured value is not finite");
  return call_by_looks(input, limit, values);
}

}  // namespace

bool is_of_judged_half(const Comparison& input, const Metric& metric) {
  const CaseValues& current = input.current;
  if (current.unavailable || !current.failures.empty()) return false;  // the case then has a reason of its own
  if (metric.tier == Tier::timed) return input.judge_timed && current.clean_timed > 0;
  return metric.tier != Tier::numeric && input.judge_exact;
}

LimitVerdict call_limit(const Comparison& input, const Metric& metric, const AbsoluteLimit& limit) {
  switch (metric.tier) {
    case Tier::exact:
      return call_exact(input, limit);
    case Tier::bytes:
      return call_bytes(input, limit);
    case Tier::timed:
      return call_timed(input, metric, limit);
    case Tier::numeric:
      break;
  }
  return unchecked(limit, "a loss has no limit of this kind");
}

}  // namespace stepgate
