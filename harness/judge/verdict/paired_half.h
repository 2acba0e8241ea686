// Judges every timed metric of a case by its interleaved pairs.
#pragma once

#include <vector>

#include "judge/verdict/judge_case.h"

namespace stepgate {

/// Verdicts in the order of the catalogue, on all timed metrics that have pairs or that the head measured. Gating ones
/// by judge_pairs(). Boundaries, only where a gating one is regressed, one-sided against their ignore margins over all
/// clean pairs and Holm-adjusted within the case at alpha: "boundary-slower", "within-limit", "not-significant". They
/// name the cause and decide nothing, so they use all pairs whatever the interim analysis at which the run stopped. The
/// others show their change, "not-tested". `input.pairs` must be set. Stored sessions serve only the text about the
/// machine (machine_check.h).
std::vector<MetricVerdict> judge_paired_half(const Comparison& input);

}  // namespace stepgate
