// Where losses or gradients changed, operators that are gone tell why.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"
#include "diagnose/merge/fault.h"

namespace stepgate {

/// Takes operator-removed out of the notes where a cause of losses or gradients is left that nothing else explains.
/// Operators that are gone where such a difference comes from (in the optimizer for an update, up to forward for a
/// first loss) become the cause, and take the numeric one, unless others were added there or they are views only. Else
/// the numeric cause takes them, as a gradient that no longer flows takes what backward does not run any more.
void merge_removed_operators(const JudgedComparison& input, Faults& faults, std::vector<Finding>& notes);

}  // namespace stepgate
