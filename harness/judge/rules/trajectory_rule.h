// Decides whether training still converges to the same loss: whole loss trajectories of several seeds, paired by seed.
#pragma once

#include <cstdint>
#include <span>

#include "core/stored/policy.h"
#include "core/verdict/losses/loss_trajectories.h"
#include "core/verdict/verdict.h"

namespace stepgate {

bool all_finite(std::span<const SeededLosses> runs);

struct TrajectoryLimits {
  Margins margins;      ///< relative to the base's final loss
  double alpha = 0.05;  ///< two-sided error of calling a change below `ignore` a change
  double beta = 0.05;   ///< error of calling a change of `matter`, in either direction, a pass
};

/// With fewer seeds the spread between them is unknown (docs/design/statistics.md, "Final loss over seeds").
inline constexpr std::size_t fewest_seeds = 5;

/// The last fifth of a run of this length begins after the steps whose losses are compared one by one (policy.h).
/// Shorter runs do not show where training ends.
inline constexpr std::int64_t fewest_seed_steps = 50;

/// g of a run = mean of the last 20 % of its losses, at least one. With d = (g_head - g_base) / |mean g_base| per seed,
/// t intervals of their mean (two one-sided tests for pass: Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987)):
///   a loss of the head is not finite                         -> regressed    "non-finite"
///   a loss of the base is not finite, its final loss is zero -> inconclusive "baseline-non-finite"
///   the sides have other seeds, or one of them twice         -> inconclusive "seeds-differ"
///   runs of unequal length, or without losses                -> inconclusive "steps-differ"
///   fewer than five seeds                                    -> inconclusive "too-few-seeds"
///   all losses equal, bit by bit                             -> pass         "equal"
///   the differences of the seeds are all equal, not zero     -> inconclusive "constant-differences"
///   interval at 1 - alpha beyond the ignore margin           -> regressed    "numerics-changed", lower losses too
///   interval at 1 - 2 beta within the matter margins         -> pass         "within-limit"
///   otherwise                                                -> inconclusive "interval-too-wide"
/// The order of the runs has no effect. Fills in status, reason, detail and figures of `verdict`; change is d.
void apply_trajectory_rule(std::span<const SeededLosses> base, std::span<const SeededLosses> head,
                           const TrajectoryLimits& limits, MetricVerdict& verdict);

}  // namespace stepgate
