// Is the cold first step slower for a reason of its own?
#pragma once

#include <vector>

#include "core/verdict/verdict.h"
#include "diagnose/diagnose_input.h"

namespace stepgate {

/// Codes: first-step-slower.
std::vector<Finding> explain_first_step(const DiagnoseInput& input);

}  // namespace stepgate
