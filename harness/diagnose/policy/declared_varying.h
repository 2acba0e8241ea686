// Which metrics does the policy declare to vary, and do they?
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: varying (a warning: these metrics were measured and decide nothing here), does-not-vary (a note: all
/// processes agree, so the entry of the policy can go).
std::vector<Finding> explain_declared_varying(const Comparison& input);

}  // namespace stepgate
