// Why? Asks every question of the folders below and puts the answers in order.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Causes first, the strongest of them before the others (merge/merge_causes.h), then warnings, then notes. A regressed
/// case always gets at least one cause, which names the boundary where one can be known. Never changes a verdict,
/// throws nothing of its own.
std::vector<Finding> diagnose(const JudgedComparison& input);

}  // namespace stepgate
