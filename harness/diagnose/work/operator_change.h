// Which operators does a step call more or less often, and in which boundary?
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: host-sync-added, loop-instead-of-batch, copy-added, operator-added, operator-removed. One finding per
/// boundary.
std::vector<Finding> explain_operators(const Comparison& input);

}  // namespace stepgate
