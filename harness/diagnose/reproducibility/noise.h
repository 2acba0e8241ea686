// What makes a case inconclusive, and what would help?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: no-pairs (times of two measurements), spread, left-undecided, tainted, unsteady, replicate-failed,
/// no-longer-available, outgrew-machine.
std::vector<Finding> explain_noise(const JudgedComparison& input);

}  // namespace stepgate
