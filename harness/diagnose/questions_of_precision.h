// The questions about low and mixed precision (questions.h has the list of all).
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Does a step that computed in low precision compute in float32 now? Code: low-precision-lost. Where a baseline does
/// not know dtypes, as many casts must have vanished as there are products. A model whose weights are in bfloat16 needs
/// fewer casts too, but computes in bfloat16.
/// Precondition: memory, bytes or numerics are red, casts of 16-bit dtypes fell to less than half, and most FLOPs of
/// products are in float32.
std::vector<Finding> explain_lost_low_precision(const JudgedComparison& input);

/// Is mixed precision used as it should be? One finding per row of precision_table() that the observed work shows, at
/// any verdict, and those of skipped_updates.h.
/// Precondition: the observed work has the operators and dtypes of the fault.
std::vector<Finding> explain_precision(const JudgedComparison& input);

}  // namespace stepgate
