// Do steps meet input shapes that they did not meet before?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code new-shape, a cause where shapes_seen or cold_shapes_after_warmup is red. It names the shapes that are met for
/// the first time after the warm-up, those that the baseline does not have first.
std::vector<Finding> explain_new_shapes(const JudgedComparison& input);

}  // namespace stepgate
