// Judges every metric of the tiers exact, bytes and numeric by its rule.
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Verdicts on all metrics that either side has, in the order of the catalogue. A red against a portable baseline names
/// the instruction set of the measurement.
std::vector<MetricVerdict> judge_exact_half(const Comparison& input);

}  // namespace stepgate
