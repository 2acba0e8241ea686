// Which facts of the environment differ from those that the baseline was measured under?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: environment-differs, a cause where there is no comparable baseline or no decision because of it, a warning
/// otherwise;
/// facts-not-compared, a note on facts that the runner baseline lacks; tool-inside-process, a warning.
std::vector<Finding> explain_environment(const JudgedComparison& input);

}  // namespace stepgate
