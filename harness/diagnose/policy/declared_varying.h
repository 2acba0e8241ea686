// Which metrics does the policy declare to vary, and do they?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes, all warnings: varying (these metrics were measured and decide nothing here), does-not-vary (all processes
/// agree, so the entry of the policy can go), varying-unmeasured (the entry names a loss that the case does not
/// report).
std::vector<Finding> explain_declared_varying(const JudgedComparison& input);

}  // namespace stepgate
