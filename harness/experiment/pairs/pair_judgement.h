// Both halves of a case that was measured in pairs, as one comparison with the base build as its reference.
#pragma once

#include "core/verdict/comparison.h"
#include "core/verdict/run_report.h"
#include "experiment/pairs/pair_measurement.h"

namespace stepgate {

/// The head's processes as one measurement, its exact ones first; likewise the base's.
Measurement head_processes(const PairMeasurement& measured);
Measurement base_processes(const PairMeasurement& measured);

/// Exact processes of each build that the case needs: those that a red in bytes rests on (confirmation.h), where bytes
/// grew, and those that judge the metrics which the policy declares to vary. 0 where neither is at hand.
std::int64_t exact_processes_wanted(const Project& head, const PairCase& pair_case, const ExactMeasurements& sides);

/// Decided: the case needs no more pairs. Each leading metric is decided and no following one is worth more of them
/// (judge/verdict/following_metrics.h), or a gating one regressed. The case is then red, and more pairs would only
/// refine it.
/// The control is needed by what the pairs alone say of a gating metric, before waivers.
PairsLook look_at_pairs(const Project& head, const PairCase& pair_case, const PairsSoFar& so_far);

/// Both halves against the base build. A base build that fails or whose counts vary from process to process makes the
/// case fail: nothing can be held against it.
Comparison against_base(const Project& head, const PairMeasurement& measured);

/// The exact processes that the gate measured, and the head's processes of the pairs.
Measurement with_pairs_of_head(const Measurement& gated, const PairMeasurement& measured);

/// `all_of_head` (with_pairs_of_head): the timed half by pairs, the exact half against the stored baselines.
Comparison confirmed_by_pairs(const Project& head, const PairMeasurement& measured, const Measurement& all_of_head);

}  // namespace stepgate
