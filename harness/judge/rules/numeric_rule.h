// Tier numeric: losses and gradient norms step by step. A lower value is a change too, not an improvement.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/verdict/verdict.h"

namespace stepgate {

using Trajectory = std::vector<double>;

/// Both sides of one numeric metric. |H - B| <= atol + rtol |B| in steps 0 .. steps-1.
struct NumericSides {
  std::span<const Trajectory> current;  ///< one per replicate, at least one
  const Trajectory& baseline;
  double rtol = 1e-4;
  double atol = 1e-6;
  std::size_t steps = 21;
  bool rounded = false;  ///< the processes of the baseline agreed up to rounding, not to the bit
};

/// If a current value of any step is not finite, settles the verdict as regressed "non-finite", naming the step, and
/// returns true. It needs no baseline, so an infinity is never compared with another.
bool settle_non_finite(std::span<const Trajectory> current, MetricVerdict& verdict);

/// Fills in status, reason, detail and figures of `verdict` (docs/design/verdicts.md, "Tier numeric"). The replicate
/// with the largest distance decides.
///   a current value is not finite             -> regressed    "non-finite"
///   a compared baseline value is not finite   -> inconclusive "baseline-non-finite"
///   another number of steps to compare        -> no_baseline  "incompatible-baseline"
///   a step out of tolerance, the baseline is rounded, and the replicates differ by more than rounding
///                                             -> inconclusive "replicates-disagree"
///   any compared step out of tolerance        -> regressed    "numerics-changed", in either direction
///   otherwise                                 -> pass "within-limit", or "equal" where all bits agree
void apply_numeric_rule(const NumericSides& sides, MetricVerdict& verdict);

}  // namespace stepgate
