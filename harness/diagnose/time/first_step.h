// Is the cold first step slower for a reason of its own?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: first-step-slower.
std::vector<Finding> explain_first_step(const JudgedComparison& input);

}  // namespace stepgate
