// Which boundary's peak rose, and does something stay alive from step to step?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: peak-grew, peak-shrank, kept-alive, leak-grew.
std::vector<Finding> explain_memory(const JudgedComparison& input);

}  // namespace stepgate
