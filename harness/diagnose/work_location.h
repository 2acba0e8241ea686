// In which boundary does a change of allocations, bytes, host syncs, kernels or copies sit?
#pragma once

#include <vector>

#include "core/verdict/verdict.h"
#include "diagnose/diagnose_input.h"

namespace stepgate {

/// Codes: work-added, work-removed. One finding per exact metric that moved; operators have their own question.
std::vector<Finding> explain_work_location(const DiagnoseInput& input);

}  // namespace stepgate
