// Does a checkpoint of the workload take more room?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: checkpoint-grew. Only where checkpoint_bytes is red.
std::vector<Finding> explain_checkpoint(const JudgedComparison& input);

}  // namespace stepgate
