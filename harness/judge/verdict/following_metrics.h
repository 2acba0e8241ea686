// Which gating times decide a case: the leading ones always, the following ones where they are decided.
#pragma once

#include <vector>

#include "core/verdict/verdict.h"
#include "judge/rules/timed_comparison.h"
#include "judge/verdict/paired_verdict.h"

namespace stepgate {

/// Once every leading metric is decided by pairs, what may stay undecided (following_rule.h) decides nothing:
///   a metric that never withholds a verdict -> not judged   "too-noisy", with its spread
///   another following metric                -> inconclusive "left-undecided", no longer gating
/// A metric of the policy's must_decide counts as leading, and so does one that a pre-check asked about
/// (PairedValues::asked); but one that never withholds a verdict then only waits for an analysis that may call it
/// regressed. Without a decided leading metric nothing changes.
void leave_following_undecided(const PairedContext& context, std::vector<MetricVerdict>& verdicts);

/// The same by stored sessions, for metrics that never withhold a verdict: "interval-too-wide" becomes "too-noisy"
/// unless a whole interval lies above the ignore margin.
void leave_too_noisy_unjudged(TimedContext& context, std::vector<MetricVerdict>& verdicts);

}  // namespace stepgate
