// The verdict on one gating timed metric against stored sessions.
#pragma once

#include "core/metric.h"
#include "core/verdict/verdict.h"
#include "judge/rules/timed_comparison.h"

namespace stepgate {

/// docs/design/verdicts.md, "Stored baselines", with S sessions that count (session_clusters.h):
///   a value is not positive                      -> failed       "not-positive"
///   most clean replicates were not steady        -> inconclusive "not-steady"
///   fewer clean replicates than the policy needs -> inconclusive "too-few-clean-replicates"
///   a fact has changed after which stored times
///   decide nothing (Comparison::runner_changes)  -> inconclusive "conditions-changed"
/// else by decide():
///   pass                                         -> pass "within-limit"
///   improved    S >= confirmed_sessions          -> improved "faster"; below that pass "within-limit"
///   regressed   S >= confirmed_sessions          -> regressed "regressed-unconfirmed"
///   regressed   S below, beyond coarse_limit     -> regressed "beyond-coarse-limit"
///   regressed   S below, within coarse_limit     -> inconclusive "few-sessions"
///   undecided                                    -> inconclusive "interval-too-wide"
/// coarse_limit grows in proportion to a metric's own matter margin. A red also needs a reference case that did not
/// move, and a pass (or improved) must be one relative to the reference case too (interval/reference_check.h);
/// otherwise the verdict is inconclusive "reference-moved", "no-reference" or, for a green, "interval-too-wide". A red
/// that is none without the part that another clock of the GPU explains (interval/clock_check.h) is inconclusive
/// "clock-moved". With few sessions a red must exceed the coarse limit and be significant at alpha / M. One session
/// shows no spread, so the prior alone (2 %, four degrees of freedom) keeps the promise of 5 % false reds; for M = 60
/// the two limits agree (+25.0 and +25 %). `more_replicates` of an inconclusive verdict counts sessions, or clean
/// replicates if there are too few of these.
MetricVerdict judge_stored_sessions(const Metric& metric, TimedContext& context);

/// Whether the whole interval of its change, or of its change relative to the reference case, lies above the ignore
/// margin; true also where a time has no logarithm.
bool looks_worse_than_stored(const Metric& metric, TimedContext& context);

}  // namespace stepgate
