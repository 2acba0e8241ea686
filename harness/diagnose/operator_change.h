// Which operators does a step call more or less often, and in which boundary?
#pragma once

#include <vector>

#include "core/verdict/verdict.h"
#include "diagnose/diagnose_input.h"

namespace stepgate {

/// Codes: host-sync-added, loop-instead-of-batch, copy-added, operator-added, operator-removed. One finding per
/// boundary.
std::vector<Finding> explain_operators(const DiagnoseInput& input);

}  // namespace stepgate
