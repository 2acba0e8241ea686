// Tier exact: integers per step, equal over replicates; an increase beyond the tolerance is a regression.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/metric.h"
#include "core/verdict/verdict.h"

namespace stepgate {

using StepSequence = std::vector<std::int64_t>;

/// Both sides of one exact metric.
struct ExactSides {
  std::span<const StepSequence> current;  ///< one sequence per replicate, at least one
  const StepSequence& baseline;
  std::int64_t tolerance = 0;  ///< allowed increase per step
};

/// Fills in status, reason, detail and figures of `verdict` (docs/design/verdicts.md, "Tier exact"). Step by step
/// against the baseline:
///   sequences of another length                     -> no_baseline  "incompatible-baseline"
///   every replicate has a step above the tolerance  -> regressed    "above-limit", also where replicates disagree
///   replicates differ by more than the tolerance    -> inconclusive "replicates-disagree"
///   some replicate has a step above the tolerance   -> inconclusive "replicates-disagree"
///   any step above the baseline, none above limit   -> pass         "within-limit"
///   any step below the baseline                     -> improved     "below-baseline"
///   otherwise                                       -> pass         "equal"
/// A metric without a direction is not judged, "equal" or "changed": it describes the work and never gates.
void apply_exact_rule(const Metric& metric, const ExactSides& sides, MetricVerdict& verdict);

}  // namespace stepgate
