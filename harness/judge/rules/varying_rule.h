// Metrics that the policy declares to vary between processes of the same code: held against the processes of a base
// build that were measured in between, never against a stored value.
#pragma once

#include <cstdint>
#include <span>

#include "core/metric.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// One value per process: an exact metric's mean per step, bytes, the mean of the compared losses.
struct VaryingSides {
  std::span<const double> current;  ///< at least one
  std::span<const double> base;     ///< measured interleaved with `current`; empty: there are none
  double share = 0.05;              ///< alpha of this metric
};

/// Fills in status, reason, detail and figures (docs/design/verdicts.md, "Varying metrics"). Such a metric never
/// passes:
///   no interleaved base                                        -> not_judged   "varying"
///   the ranges overlap                                         -> not_judged   "varying"
///   they do not, and that is too likely by chance              -> inconclusive "too-few-processes"
///   every process worse than every one of the base             -> regressed    "outside-range"
///   every process better                                       -> improved     "outside-range"
/// Without a direction (losses) either side is worse, and the probability of chance counts twice.
void apply_varying_rule(const Metric& metric, const VaryingSides& sides, MetricVerdict& verdict);

/// The probability that unchanged code makes the range rule decide for this metric, with so many processes of each
/// side.
double range_rule_chance(const Metric& metric, std::int64_t current, std::int64_t base);

}  // namespace stepgate
