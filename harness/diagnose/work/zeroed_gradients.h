// Are gradients set to zero in place, where they were released before?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: gradients-zeroed. Only where the case is red: zero_() is called once more per gradient, and backward adds to
/// as many gradients (aten::add_) that it set before (aten::detach).
std::vector<Finding> explain_zeroed_gradients(const JudgedComparison& input);

}  // namespace stepgate
