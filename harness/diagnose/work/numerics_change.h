// From which step on do losses or gradient norms differ, and where in the code does that point?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: non-finite, forward-changed, gradient-changed, gradients-accumulate, update-changed, numerics-diverge,
/// numerics-changed. Every portable finding names the ISA.
std::vector<Finding> explain_numerics(const JudgedComparison& input);

}  // namespace stepgate
