// Do loader workers run in the exact passes, where the counts then depend on how far ahead they are?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// "workers-in-exact-passes": a cause where an exact value is red or undecided, a warning where the processes counted
/// differently and nothing was judged, else a note.
std::vector<Finding> explain_loader_workers(const JudgedComparison& input);

}  // namespace stepgate
