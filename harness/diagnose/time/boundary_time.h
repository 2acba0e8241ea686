// Which boundary takes the time that the step takes more than before?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: boundary-slower, overlap-lost, slower-everywhere, boundary-faster.
std::vector<Finding> explain_boundary_time(const JudgedComparison& input);

}  // namespace stepgate
