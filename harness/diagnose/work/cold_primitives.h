// Do steps after the warm-up still prepare kernels for sizes that they have not met before?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code primitives-after-warmup, from primitive_creations_after_warmup: a cause where that metric is red, else a note
/// at any verdict. It gives the lengths of the counted batches (5th, 50th and 95th percentile of the padded tokens per
/// sample) and names the 16-bit products, which pay most for it.
std::vector<Finding> explain_cold_primitives(const JudgedComparison& input);

}  // namespace stepgate
