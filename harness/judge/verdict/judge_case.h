// The verdict on one case: the only function that turns values and baselines into a status.
#pragma once

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Judges every metric of the requested tiers; the case takes the worst status of its gating metrics
/// (docs/design/verdicts.md, "Status of a case"). Metrics are sorted worst first, gating before others. A metric that
/// is newer than the baseline is shown as not judged and decides nothing, unless the baseline holds no gating metric of
/// that half: then there is no baseline. Non-finite values, a leak per step and budgets need no baseline.
///
/// Case reasons of its own: "unavailable", "too-few-gpus" and "gpu-too-small" (skipped), "outgrew-machine",
/// "replicate-failed", "waiver-expired", "nothing-measured"; inconclusive "nothing-judged"; "program-changed-setting"
/// (failed: what the launcher asked for; regressed: what is compared). Metric reasons:
///   any tier  "over-budget", "no-baseline", "incompatible-baseline", "incompatible-tree", "new-metric",
///             "metric-missing", "waived"
///   exact     "equal", "within-limit", "above-limit", "below-baseline", "replicates-disagree", "changed"
///   varying   "varying", "outside-range", "too-few-processes" (rules/varying_rule.h)
///   bytes     the same, "bytes-vary", "leak"; of two measurements "too-few-processes"
///   numeric   "equal", "within-limit", "numerics-changed", "non-finite", "baseline-non-finite";
///             final_loss besides "seeds-differ", "steps-differ", "too-few-seeds", "constant-differences",
///             "interval-too-wide"
///   timed     "within-limit", "faster", "regressed-unconfirmed", "beyond-coarse-limit", "interval-too-wide",
///             "few-sessions", "reference-moved", "no-reference", "not-steady", "too-few-clean-replicates",
///             "conditions-changed", "not-positive", "budget-undecided", "boundary-slower", "not-significant",
///             "not-tested"; of two measurements "no-pairs"
///   pairs     "within-limit", "faster", "regressed", "control-moved", "more-pairs-needed" (undecided, not finished),
///             "interval-too-wide", "too-few-pairs", "autocorrelated-differences", "drifting-differences", "two-modes",
///             "constant-differences", "too-few-clean-pairs", "no-pairs", "not-steady", "not-positive", of following
///             metrics that no longer gate "left-undecided", and of boundaries as above
/// Throws Error(usage) naming the key where the policy or a date is outside its range.
CaseVerdict judge_case(const Comparison& input);

}  // namespace stepgate
