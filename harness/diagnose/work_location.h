// In which boundary does a change of allocations, bytes, host syncs, kernels or copies sit?
#pragma once

#include <string>
#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// ", in every counted step" or ", in 2 of 8 counted steps (first: step 3)": work that comes every few steps has
/// another reason than work in each. "" where the sides counted other steps.
std::string affected_steps(const Comparison& input, const std::string& metric);

/// Codes: work-added, work-removed. One finding per exact metric that moved; operators have their own question.
std::vector<Finding> explain_work_location(const Comparison& input);

}  // namespace stepgate
