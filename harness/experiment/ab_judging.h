// The judging half of `stepgate ab`, and of `stepgate gate --base-build`: pairs and exact halves become an outcome.
#pragma once

#include <optional>

#include "core/verdict/loss_trajectories.h"
#include "core/verdict/paired_values.h"
#include "core/verdict/run_report.h"
#include "experiment/ab_case.h"
#include "experiment/pair_run.h"
#include "experiment/pipeline.h"

namespace stepgate {

/// All that was measured of one case.
struct AbMeasured {
  PairsSoFar timed;
  std::optional<ExactMeasurements> exact;                       ///< absent: only the timed half is wanted
  std::optional<LossTrajectories> trajectories = std::nullopt;  ///< where --seeds asked for them
  std::optional<ControlResult> control;  ///< the run's A/A control, whichever case it was measured on
};

/// The head's processes as one measurement, its exact ones first.
Measurement head_measurement(const AbMeasured& measured);

/// Whether bytes grew on fewer processes than a red in bytes rests on (bytes_confirmation.h).
bool bytes_need_confirmation(const Context& head, const AbCase& ab, const ExactMeasurements& sides);

/// Whether each gating timed metric is decided, or one of them regressed: then the case is red and more pairs would
/// only refine it.
bool pairs_decide(const Context& head, const AbCase& ab, const PairsSoFar& so_far);

/// Both halves against the base build, explained, with the commands to see it again. A base build that fails or whose
/// counts vary from process to process makes the case fail: nothing can be held against it.
Outcome judge_ab(const Context& head, const AbCase& ab, const AbMeasured& measured);

/// The timed half by pairs, the exact half of `screened` (measured by the gate) against the stored baselines.
Outcome judge_confirmed(const Context& head, const AbCase& ab, const AbMeasured& measured, const Measurement& screened);

}  // namespace stepgate
