// Does the allocator hold more and more although no more is live? Then it fragments, which looks like a leak from
// outside.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: reserved-grew. A cause where that metric or the reserved peak is red, a warning where it is new, else a note.
/// Nothing where memory leaks: what leaks has to be reserved, too.
std::vector<Finding> explain_reserved_growth(const JudgedComparison& input);

}  // namespace stepgate
