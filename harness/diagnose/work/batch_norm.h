// Was batch normalisation added?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: batch-norm-added. Only where the case is red; one finding per boundary.
std::vector<Finding> explain_batch_norm(const JudgedComparison& input);

}  // namespace stepgate
