// Is a costly pattern of work new? (docs/design/causes.md)
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: those of pattern_table() whose cost a count shows, except gradients-zeroed, which has a question of its own.
/// One finding per code and boundary, only where the case is red and what changed is what the pattern brings; a pattern
/// that was there before is no cause. Each names the lines of its sites.
std::vector<Finding> explain_patterns(const JudgedComparison& input);

}  // namespace stepgate
