// Which facts of the environment differ from those that the baseline was measured under?
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: environment-differs. A cause where there is no comparable baseline because of it, a warning otherwise.
std::vector<Finding> explain_environment(const Comparison& input);

}  // namespace stepgate
