#include "judge/rules/stored_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
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
};

/// The coarse limit in proportion to the metric's own margins: a metric whose matter margin is 30 %, such as the first
/// step, must not be red at 25 %.
double coarse_limit(const Trial& trial) {
  const Policy& policy = trial.context.input.policy;
  return policy.coarse_limit * std::max(1.0, trial.comparison.margins.matter / policy.margins.matter);
}

/// The rule's call with the coarse limit of few sessions applied.
Call call_with(const Trial& trial, Call call, std::int64_t sessions) {
  const Policy& policy = trial.context.input.policy;
  if (sessions >= policy.confirmed_sessions) return call;
  if (call == Call::improved) return Call::pass;
  if (call == Call::regressed && trial.comparison.worse <= coarse_limit(trial)) return Call::inconclusive;
  return call;
}

/// The smallest number of further sessions that would decide this change with this spread. Absent beyond max_sessions,
/// because a baseline keeps no more.
std::optional<std::int64_t> more_sessions(const Trial& trial) {
  const StoredEstimate& stored = trial.comparison.stored;
  for (auto sessions = stored.sessions + 1; sessions <= static_cast<std::int64_t>(max_sessions); ++sessions) {
    const Estimate estimate = with_sessions(stored, sessions, trial.context.input.policy);
    const CriticalValues critical = trial.context.table.at(estimate.degrees_of_freedom);
    const Call call = decide(estimate, trial.comparison.margins, critical).call;
    if (call_with(trial, call, sessions) != Call::inconclusive) return sessions - stored.sessions;
  }
  return std::nullopt;
}

/// The figures with both limits: the interval of an open verdict often lies inside the limit for a red.
std::string with_limits(const Trial& trial) {
  const bool few = trial.comparison.stored.sessions < trial.context.input.policy.confirmed_sessions;
  return fmt::format(
      "{}; a pass needs the whole interval within {}, a red {} beyond {}", describe(trial.comparison, trial.metric),
      limit_text(trial.metric, trial.comparison.margins.matter), few ? "a change" : "all of it", trial.verdict.limit);
}

void settle_inconclusive(Trial& trial, const std::string& reason) {
  trial.verdict.more_replicates = more_sessions(trial);
  settle(trial.verdict, Status::inconclusive, reason, with_limits(trial));
}

void settle_red(Trial& trial, const std::string& reason) {
  const std::string figures = describe(trial.comparison, trial.metric);
  const ReferenceCheck reference = check_reference(trial.metric, trial.context);
  if (reference.outcome == ReferenceCheck::Outcome::absent) {
    settle(trial.verdict, Status::inconclusive, "no-reference",
           figures + "; without the reference case a slower machine cannot be told from slower code");
  } else if (reference.outcome == ReferenceCheck::Outcome::moved) {
    settle(trial.verdict, Status::inconclusive, "reference-moved",
           fmt::format("{}; the reference case moved by {} (more than {}): the machine changed", figures,
                       change_text(reference.change), change_text(reference.tolerance)));
  } else {
    settle(
        trial.verdict, Status::regressed, reason,
        fmt::format("{}; not confirmed by a second build; reference case {}", figures, change_text(reference.change)));
  }
}

void settle_by_rule(Trial& trial) {
  const Policy& policy = trial.context.input.policy;
  const std::int64_t sessions = trial.comparison.stored.sessions;
  const Call raw = trial.comparison.decision.call;
  switch (call_with(trial, raw, sessions)) {
    case Call::pass:
      return settle(trial.verdict, Status::pass, "within-limit", with_limits(trial));
    case Call::improved:
      return settle(trial.verdict, Status::improved, "faster", describe(trial.comparison, trial.metric));
    case Call::regressed:
      return settle_red(trial, sessions >= policy.confirmed_sessions ? "regressed-unconfirmed" : "beyond-coarse-limit");
    case Call::inconclusive:
      return settle_inconclusive(trial, raw == Call::regressed ? "few-sessions" : "interval-too-wide");
  }
}

/// With few sessions a red must also exceed the coarse limit with the stated power.
void widen_for_few_sessions(Trial& trial) {
  const Policy& policy = trial.context.input.policy;
  const StoredEstimate& stored = trial.comparison.stored;
  if (stored.sessions >= policy.confirmed_sessions) return;
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
    settle(verdict, Status::inconclusive, "not-steady",
           fmt::format("{} ({} of {} processes were not steady)", side.unsteady_reasons.front(), side.unsteady,
                       side.clean_timed));
    return true;
  }
  const auto values = side.timed.find(std::string(metric.name));
  const std::int64_t measured = values == side.timed.end() ? 0 : std::ssize(values->second);
  const std::int64_t wanted = policy.min_clean_replicates;
  if (measured >= wanted) return false;
  verdict.more_replicates = wanted - measured;
  settle(verdict, Status::inconclusive, "too-few-clean-replicates",
         fmt::format("{} of the {} clean replicates needed; {} discarded", measured, wanted, side.tainted));
  return true;
}

/// Only taint removed it: more clean replicates would measure it, so it is not missing.
bool lost_to_taint(const CaseValues& side) { return side.tainted > 0 && side.clean_timed == 0; }

bool stored_in(const TimedContext& context, std::string_view metric) {
  const auto& clusters = context.clusters;
  return std::any_of(clusters.begin(), clusters.end(), [&](const SessionCluster& cluster) {
    return std::any_of(cluster.begin(), cluster.end(), [&](const Session* session) {
      const auto values = session->timed.find(std::string(metric));
      return values != session->timed.end() && !values->second.empty();
    });
  });
}

}  // namespace

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
    settle(verdict, Status::failed, "not-positive", "a measured or stored time is zero, negative or not finite");
    return verdict;
  }
  Trial trial{metric, *comparison, context, verdict};
  widen_for_few_sessions(trial);
  settle_by_rule(trial);
  return verdict;
}

}  // namespace stepgate
