// Which values differ between processes that ran the same code with the same seed, and where does that come from?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: losses-vary, counts-vary, bytes-vary. Each names the metrics, the processes, the first step and the
/// boundaries, the likely source, and the entry of the policy that declares them. A cause where nothing can be accepted
/// or decided because of them, else a warning. Metrics that the policy declares already have their own question
/// (policy/declared_varying.h).
std::vector<Finding> explain_varying_values(const JudgedComparison& input);

}  // namespace stepgate
