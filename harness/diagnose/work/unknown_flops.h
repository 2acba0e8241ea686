// Which operators does flops_per_step leave out?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// A note flops-without-formula at any verdict: operators that compute and have no FLOP formula, most bytes first, so
/// that their FLOPs are never silently 0. Empty where FLOPs were not counted or every operator has a formula.
std::vector<Finding> note_unknown_flops(const JudgedComparison& input);

}  // namespace stepgate
