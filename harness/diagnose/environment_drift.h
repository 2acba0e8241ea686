// Which facts of the environment differ from those that the baseline was measured under?
#pragma once

#include <vector>

#include "core/verdict/verdict.h"
#include "diagnose/diagnose_input.h"

namespace stepgate {

/// Codes: environment-differs. A cause where there is no comparable baseline because of it, a warning otherwise.
std::vector<Finding> explain_environment(const DiagnoseInput& input);

}  // namespace stepgate
