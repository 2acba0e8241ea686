// What a budget was spent on.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: over-budget, one finding per metric that exceeds its budget in policy.json.
std::vector<Finding> explain_budgets(const JudgedComparison& input);

}  // namespace stepgate
