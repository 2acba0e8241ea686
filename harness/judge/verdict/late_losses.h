// Losses of steps that tier numeric does not compare: those of all passes, and of late steps of the numerics pass.
#pragma once

#include <optional>
#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/losses/judged_losses.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Makes the verdict on a loss red in `verdicts`, or adds it:
///   a loss of any pass is not finite, and not so in the base                  -> regressed "non-finite"
///   both sides repeat to the bit, and a late step is out of tolerance although
///   the steps before it agree to the bit                                      -> regressed "numerics-changed"
/// Rounding that differs grows with the steps, so late steps behind such a difference are not judged
/// (docs/design/verdicts.md, "Later steps").
void judge_late_losses(const Comparison& input, std::vector<MetricVerdict>& verdicts);

/// Up to which step losses were judged; absent where no process recorded one beside the numerics pass.
std::optional<JudgedLosses> judged_losses(const Comparison& input);

}  // namespace stepgate
