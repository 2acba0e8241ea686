// Judges every timed metric of a case by its interleaved pairs.
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Verdicts on all timed metrics that have pairs or that the head measured, in the order of the catalogue.
/// judge_pairs() judges the gating ones. If one of these is regressed, boundaries are tested one-sided against their
/// ignore margins over all clean pairs, Holm-adjusted within the case at alpha: "boundary-slower", "within-limit",
/// "not-significant". Boundaries name the cause and decide nothing, so they also use the pairs after the deciding
/// interim analysis. Without a red, those beside a green step that got slower for certain are "slower-below-margin"
/// (docs/design/verdicts.md, "Boundaries"). The other metrics show their change, "not-tested". `pairs_of(input)` must
/// be there. Stored sessions only serve the text about the machine (machine_check.h).
std::vector<MetricVerdict> judge_paired_half(const Comparison& input);

}  // namespace stepgate
