// Is the input the reason: loader, padding, shapes, host-to-device copy?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: loader-slower, starved (a note beside another red), padding-grew, copy-not-overlapped; and, on any
/// verdict, cold-shape: steps that met a shape for the first time and were left out of the times.
std::vector<Finding> explain_input_path(const JudgedComparison& input);

}  // namespace stepgate
