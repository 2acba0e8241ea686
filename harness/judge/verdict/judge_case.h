// The verdict on one case: the only function that turns values and baselines into a status.
#pragma once

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Judges every metric of the requested half; the case takes the worst status of its gating metrics
/// (docs/design/verdicts.md, "Status of a case"). Metrics are sorted worst first, gating before others. A metric that
/// is newer than the baseline is shown as not judged and decides nothing, unless the baseline holds no gating metric of
/// that half: then there is no baseline. Non-finite values, a leak per step and budgets need no baseline.
/// The reason of each verdict is a row of core/verdict/verdict_reason.cpp.
/// Throws Error(usage) naming the key where the policy or a date is outside its range.
CaseVerdict judge_case(const Comparison& input);

}  // namespace stepgate
