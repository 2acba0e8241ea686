// Does a step that computed in low precision compute in float32 now?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: low-precision-lost. Only where the case is red by memory, bytes or numerics, casts fell to less than half of
/// the baseline's, and most FLOPs of products are in float32. A model whose weights are in bfloat16 needs fewer casts
/// too, but computes in bfloat16.
std::vector<Finding> explain_lost_low_precision(const JudgedComparison& input);

}  // namespace stepgate
