// Did the loss scaler skip updates?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: amp-skips, a cause, where more counted steps skip their update than before; skipped-update, a warning at any
/// verdict: timed steps that were left out because an update in their window was skipped.
std::vector<Finding> explain_skipped_updates(const JudgedComparison& input);

}  // namespace stepgate
