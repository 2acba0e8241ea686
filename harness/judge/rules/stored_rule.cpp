#include "judge/rules/stored_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
#include "judge/interval/clock_check.h"
#include "judge/rules/comparable.h"
#include "judge/rules/value_change.h"
#include "stats/student_t.h"

namespace stepgate {
namespace {

/// The state of the judgement of one metric.
struct Trial {
  const Metric& metric;
  const TimedComparison& comparison;
  TimedContext& context;
  MetricVerdict& verdict;
  std::optional<RelativeChange> relative;  ///< to the reference case
};

/// The coarse limit in proportion to the metric's own margins: a metric whose matter margin is 30 %, such as the first
/// step, must not be red at 25 %.
double coarse_limit(const Trial& trial) {
  const Policy& policy = trial.context.input.policy;
  return policy.coarse_limit * std::max(1.0, trial.comparison.margins.matter / policy.margins.matter);
}

Decision decide(const Trial& trial, const Estimate& estimate) {
  return decide(estimate, trial.comparison.margins, trial.context.table.at(estimate.degrees_of_freedom));
}

bool few_sessions(const Trial& trial, std::int64_t more = 0) {
  return trial.comparison.stored.sessions + more < trial.context.input.policy.confirmed_sessions;
}

/// The call that remains of one that rests on the times alone. A faster machine hides slower code, and a slower one
/// looks like it, so the change relative to the reference case must say the same; with few sessions it must exceed the
/// coarse limit.
Call over_reference(const Trial& trial, Call call, std::int64_t more_sessions) {
  if (!trial.relative) return Call::inconclusive;
  const Estimate estimate = trial.relative->with(trial.relative->stored.sessions + more_sessions);
  const Call own = decide(trial, estimate).call;
  if (call != Call::regressed) return own == Call::regressed ? Call::inconclusive : own == Call::improved ? call : own;
  const bool red =
      few_sessions(trial, more_sessions) ? std::expm1(estimate.theta) > coarse_limit(trial) : own == Call::regressed;
  return red ? call : Call::inconclusive;
}

/// The call of the rule as if `more_sessions` sessions had been stored besides.
Call call_with(const Trial& trial, Call call, std::int64_t more_sessions) {
  if (few_sessions(trial, more_sessions)) {
    if (call == Call::improved) call = Call::pass;
    if (call == Call::regressed && trial.comparison.worse <= coarse_limit(trial)) return Call::inconclusive;
  }
  return call == Call::inconclusive ? call : over_reference(trial, call, more_sessions);
}

/// The smallest number of further sessions that would decide this change with this spread. Absent beyond max_sessions,
/// because a baseline keeps no more.
std::optional<std::int64_t> more_sessions(const Trial& trial) {
  const StoredEstimate& stored = trial.comparison.stored;
  for (std::int64_t more = 1; stored.sessions + more <= static_cast<std::int64_t>(max_sessions); ++more) {
    const Estimate estimate = with_sessions(stored, stored.sessions + more, trial.context.input.policy);
    if (call_with(trial, decide(trial, estimate).call, more) != Call::inconclusive) return more;
  }
  return std::nullopt;
}

/// "relative to the reference case +30.1 % [+21.9 %, +38.9 %]"; "" without one.
std::string relative_text(const Trial& trial) {
  if (!trial.relative) return "";
  const Estimate estimate = trial.relative->estimate();
  const Interval interval = value_change(trial.metric, decide(trial, estimate).interval);
  return fmt::format("relative to the reference case {} {}",
                     change_text(value_change(trial.metric, std::expm1(estimate.theta))),
                     interval_text(interval.lower, interval.upper));
}

/// The figures with both limits: the interval of an open verdict often lies inside the limit for a red.
std::string with_limits(const Trial& trial) {
  const std::string relative = relative_text(trial);
  return fmt::format("{}{}{}; a pass needs {} within {}, a red {} beyond {}", describe(trial.comparison, trial.metric),
                     relative.empty() ? "" : "; ", relative,
                     relative.empty() ? "the whole interval" : "both whole intervals",
                     limit_text(trial.metric, trial.comparison.margins.matter),
                     few_sessions(trial) ? "a change"
                     : relative.empty()  ? "all of it"
                                         : "all of both",
                     trial.verdict.limit);
}

void settle_inconclusive(Trial& trial, ReasonCode reason) {
  trial.verdict.more_replicates = more_sessions(trial);
  settle(trial.verdict, Status::inconclusive, reason, with_limits(trial));
}

/// Leaves open what the times alone would decide, because the reference case moved or was not measured. False if it
/// stood still.
bool withheld(Trial& trial, const ReferenceCheck& reference) {
  if (reference.outcome == ReferenceCheck::Outcome::still) return false;
  const std::string figures = describe(trial.comparison, trial.metric);
  if (!trial.relative) {
    settle(trial.verdict, Status::inconclusive, ReasonCode::no_reference,
           figures + "; without the reference case a change of the machine cannot be told from one of the code");
  } else {
    settle(trial.verdict, Status::inconclusive, ReasonCode::reference_moved,
           fmt::format("{}; the reference case moved by {} (more than {}): the machine changed; {}", figures,
                       change_text(reference.change), change_text(reference.tolerance), relative_text(trial)));
  }
  return true;
}

/// Whether a red stays one without its part `explained`, on the log scale. That part is taken off the relative change
/// too, because the reference case may follow the clock less than the case does.
bool is_red_without(const Trial& trial, double explained) {
  TimedComparison rest = trial.comparison;
  rest.stored.estimate.theta -= explained;
  rest.worse = std::expm1(rest.stored.estimate.theta);
  std::optional<RelativeChange> relative = trial.relative;
  if (relative) relative->stored.estimate.theta -= explained;
  const Trial without{trial.metric, rest, trial.context, trial.verdict, relative};
  return call_with(without, decide(without, rest.stored.estimate).call, 0) == Call::regressed;
}

/// "the GPU's mean clock is 1 400 MHz here and was 1 500 MHz in the stored sessions (-6.7 %), which explains at most
/// +8.2 %"
std::string clock_text(const ClockCheck& clock, const Metric& metric) {
  return fmt::format(
      "the GPU's mean clock is {} here and was {} in the stored sessions ({}), which explains at most {}",
      quantity_text(MetricUnit::megahertz, clock.current_mhz), quantity_text(MetricUnit::megahertz, clock.stored_mhz),
      change_text(clock.current_mhz / clock.stored_mhz - 1),
      change_text(value_change(metric, std::expm1(clock.explained))));
}

/// A red is left open where the GPU's clock was another one and may have made it. Nothing is scaled by the clock: how
/// far a step follows it depends on the step. Pairs run at one clock.
void settle_red(Trial& trial, const ReferenceCheck& reference) {
  if (withheld(trial, reference)) return;
  const ClockCheck clock = check_clock(trial.context.reference_sides());
  const bool moved = clock.outcome == ClockCheck::Outcome::moved;
  const std::string at_clock = moved ? "; " + clock_text(clock, trial.metric) : "";
  const std::string figures = describe(trial.comparison, trial.metric) + at_clock;
  if (moved && !is_red_without(trial, clock.explained))
    return settle(trial.verdict, Status::inconclusive, ReasonCode::clock_moved, figures + ": pairs decide");
  settle(trial.verdict, Status::regressed,
         few_sessions(trial) ? ReasonCode::beyond_coarse_limit : ReasonCode::regressed_unconfirmed,
         fmt::format("{}; not confirmed by a second build; {}", figures, relative_text(trial)));
}

/// `raw` is what the times say without the reference case.
void settle_open(Trial& trial, Call raw, const ReferenceCheck& reference) {
  const bool below_coarse =
      raw == Call::regressed && few_sessions(trial) && trial.comparison.worse <= coarse_limit(trial);
  if (below_coarse) return settle_inconclusive(trial, ReasonCode::few_sessions);
  if (raw != Call::inconclusive && withheld(trial, reference)) return;
  settle_inconclusive(trial, ReasonCode::interval_too_wide);
}

void settle_by_rule(Trial& trial) {
  const Call raw = trial.comparison.decision.call;
  const ReferenceCheck reference = check_reference(trial.metric, trial.context.reference_sides());
  switch (call_with(trial, raw, 0)) {
    case Call::pass:
      return settle(trial.verdict, Status::pass, ReasonCode::within_limit, with_limits(trial));
    case Call::improved:
      return settle(trial.verdict, Status::improved, ReasonCode::faster,
                    describe(trial.comparison, trial.metric) + "; " + relative_text(trial));
    case Call::regressed:
      return settle_red(trial, reference);
    case Call::inconclusive:
      return settle_open(trial, raw, reference);
  }
}

/// A red must be one relative to the reference case too.
void widen_for_reference(Trial& trial) {
  if (!trial.relative) return;
  const double relative = detectable_change(trial.relative->estimate(), trial.comparison.margins, trial.context.table);
  trial.verdict.detectable_change = std::max(trial.comparison.detectable_change, relative);
}

/// With few sessions a red must also exceed the coarse limit with the stated power.
void widen_for_few_sessions(Trial& trial) {
  const Policy& policy = trial.context.input.policy;
  const StoredEstimate& stored = trial.comparison.stored;
  if (stored.sessions >= policy.confirmed_sessions) return widen_for_reference(trial);
  constexpr double missed = 0.05;  // 95 % power, as for every detectable change
  const double reach = student_t_upper_quantile(missed, stored.estimate.degrees_of_freedom);
  const double beyond = std::expm1(std::log1p(coarse_limit(trial)) + reach * stored.estimate.standard_error);
  trial.verdict.limit = limit_text(trial.metric, coarse_limit(trial));
  trial.verdict.detectable_change = std::max(trial.comparison.detectable_change, beyond);
}

/// Settles the verdict if the measurement is not fit for a judgement.
bool unfit(const Metric& metric, const CaseValues& side, const Policy& policy, MetricVerdict& verdict) {
  // One drifting process is ordinary noise (slow noise flags up to a quarter of processes). If most processes were not
  // steady, there is no steady state to compare.
  if (2 * side.unsteady > side.clean_timed) {
    settle(verdict, Status::inconclusive, ReasonCode::not_steady,
           fmt::format("{} ({} of {} processes were not steady)", side.unsteady_reasons.front(), side.unsteady,
                       side.clean_timed));
    return true;
  }
  const auto values = side.timed.find(std::string(metric.name));
  const std::int64_t measured = values == side.timed.end() ? 0 : std::ssize(values->second);
  const std::int64_t wanted = policy.min_clean_replicates;
  if (measured >= wanted) return false;
  verdict.more_replicates = wanted - measured;
  settle(verdict, Status::inconclusive, ReasonCode::too_few_clean_replicates,
         fmt::format("{} of the {} clean replicates needed; {} discarded", measured, wanted, side.tainted));
  return true;
}

/// Only taint removed the metric: more clean replicates would measure it, so it is not missing.
bool lost_to_taint(const CaseValues& side) { return side.tainted > 0 && side.clean_timed == 0; }

/// Such a change of facts alone may move times, and the stored sessions are all from before it.
void settle_changed(const TimedComparison& comparison, const Metric& metric, const Comparison& input,
                    MetricVerdict& verdict) {
  std::string changes;
  for (const FingerprintMismatch& fact : input.runner_changes) {
    changes += fmt::format("{}{} was {}, is {}", changes.empty() ? "" : "; ", fact.key, fact.expected,
                           fact.found.empty() ? "unknown" : fact.found);
  }
  settle(verdict, Status::inconclusive, ReasonCode::conditions_changed,
         fmt::format("{}; since the stored sessions {}, which may move times by itself", describe(comparison, metric),
                     changes));
}

bool stored_in(const TimedContext& context, std::string_view metric) {
  const auto& clusters = context.clusters;
  return std::any_of(clusters.begin(), clusters.end(), [&](const SessionCluster& cluster) {
    return std::any_of(cluster.begin(), cluster.end(), [&](const Session* session) {
      const auto values = session->timed.find(std::string(metric));
      return values != session->timed.end() && !values->second.empty();
    });
  });
}

bool lies_above_ignore(const TimedComparison& comparison, const Estimate& estimate, TimedContext& context) {
  const CriticalValues critical = context.table.at(estimate.degrees_of_freedom);
  return decide(estimate, comparison.margins, critical).interval.lower > comparison.margins.ignore;
}

}  // namespace

bool looks_worse_than_stored(const Metric& metric, TimedContext& context) {
  const auto comparison = compare_timed(metric, context);
  if (!comparison) return true;
  const auto relative = change_over_reference(metric, comparison->prior_spread, context.reference_sides());
  return lies_above_ignore(*comparison, comparison->stored.estimate, context) ||
         (relative && lies_above_ignore(*comparison, relative->estimate(), context));
}

MetricVerdict judge_stored_sessions(const Metric& metric, TimedContext& context) {
  const Comparison& input = context.input;
  const BaselineSide side = timed_side(input);
  MetricVerdict verdict = open_verdict(metric, side.scope);
  const bool measured = input.current.timed.contains(std::string(metric.name));
  const Presence presence{metric, measured || lost_to_taint(input.current), stored_in(context, metric.name)};
  if (auto early = without_comparison(presence, side, input.current)) return *early;

  const auto comparison = compare_timed(metric, context);
  if (comparison) fill_figures(*comparison, metric, verdict);
  if (unfit(metric, input.current, input.policy, verdict)) return verdict;
  if (!comparison) {
    settle(verdict, Status::failed, ReasonCode::not_positive,
           "a measured or stored time is zero, negative or not finite");
    return verdict;
  }
  if (!input.runner_changes.empty()) {
    settle_changed(*comparison, metric, input, verdict);
    return verdict;
  }
  Trial trial{metric, *comparison, context, verdict,
              change_over_reference(metric, comparison->prior_spread, context.reference_sides())};
  widen_for_few_sessions(trial);
  settle_by_rule(trial);
  return verdict;
}

}  // namespace stepgate
