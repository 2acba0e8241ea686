// Is the cold first step slower for a reason of its own?
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: first-step-slower.
std::vector<Finding> explain_first_step(const Comparison& input);

}  // namespace stepgate
