// Was a detach() lost, so that a graph reaches further than before?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: detach-lost. Only where the case is red, a boundary other than backward calls aten::detach less often, and the
/// graph shows: backward runs more operators, or each step leaves memory behind.
std::vector<Finding> explain_lost_detach(const JudgedComparison& input);

}  // namespace stepgate
