// Judges every timed metric of a case against its stored sessions.
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Verdicts on all timed metrics that either side has, in the order of the catalogue. judge_stored_sessions() judges
/// gating metrics. Boundaries are tested only if a gating metric is regressed (boundary_rule.h), else "not-tested".
/// Rates and ratios follow from the others and are never tested. times_without_pairs.h handles two measurements
/// (`EarlierMeasurement`).
std::vector<MetricVerdict> judge_timed_half(const Comparison& input);

}  // namespace stepgate
