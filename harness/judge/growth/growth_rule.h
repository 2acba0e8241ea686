// Growth of a level, held against measured or stored growth: the difference is judged by its own noise.
#pragma once

#include <optional>
#include <span>

#include "core/metric.h"
#include "core/record/level_growth.h"
#include "core/verdict/case_values.h"
#include "core/verdict/verdict.h"
#include "judge/rules/bytes_rule.h"

namespace stepgate {

/// Both sides of one growth metric with a noise floor. Its values above the floor are in `bytes`.
struct GrowthSides {
  BytesSides bytes;
  std::span<const LevelGrowth> current;  ///< one per process
  std::span<const LevelGrowth> base;     ///< likewise where the base was measured; empty: `bytes.baseline` is stored
};

/// How far the two sides are apart, in the unit of the metric per step.
struct GrowthDifference {
  double base = 0;     ///< mean per step
  double current = 0;  ///< likewise
  double noise = 0;    ///< standard error of the difference
  double freedom = 1;  ///< degrees of freedom of the noise
  double reach = 0;    ///< a difference up to it says nothing: the noise times the critical value, or the resolution
  bool above = false;  ///< each process of the head grows by more than each of the base
  bool below = false;  ///< by less

  double difference() const { return current - base; }
};

/// Standard error: what processes of one side differ by, and in addition the noise within a process. The latter does
/// not fall with more processes, because unequal steps are often the same in each.
///   se^2 = s^2 (1/nH + 1/nB) + noise_H^2 + noise_B^2,  s^2 pooled over both sides with nH + nB - 2 degrees of freedom;
/// those of se^2 by Satterthwaite's approximation
/// `share` is the probability of a false red. Absent unless each side has two processes.
std::optional<GrowthDifference> growth_difference(const Metric& metric, const GrowthSides& sides, double share);

/// The rule of bytes (bytes_rule.h) on the values above the noise floor, and with it (docs/design/verdicts.md, "Growth
/// against a base"), where the metric has a floor:
///   the base was measured: each process above each of the base, and the difference beyond its reach
///                     -> regressed "leak", or "above-limit" where the base itself grows beyond the floor
///                          each process below each of the base, the difference beyond its reach
///                     -> improved "below-baseline"
///   the base is a stored growth above 0, the processes vary, and the difference is within its reach
///                     -> pass "within-limit"
void apply_growth_rule(const Metric& metric, const GrowthSides& sides, const BytesLimits& limits,
                       MetricVerdict& verdict);

/// Whether a gating level with a noise floor may grow by more in the head, so that more processes are useful: the
/// difference is above three times its noise, or the level rose once and that of the base did not.
bool may_grow_more(const CaseValues& base, const CaseValues& head);

}  // namespace stepgate
