// Judges every timed metric of a case against its stored sessions.
#pragma once

#include <vector>

#include "judge/verdict/judge_case.h"

namespace stepgate {

/// Verdicts in the order of the catalogue, on all timed metrics that either side has. Gating metrics by
/// judge_stored_sessions(); boundaries only where a gating one is regressed (boundary_rule.h), else "not-tested";
/// rates and ratios follow from the others and are never tested. Of two measurements (`input.base_group`) as
/// times_without_pairs.h says.
std::vector<MetricVerdict> judge_timed_half(const Comparison& input);

}  // namespace stepgate
