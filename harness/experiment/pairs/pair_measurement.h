// The measuring half of one case in pairs: exact processes, training runs, then timed pairs until they decide.
#pragma once

#include <optional>

#include "core/verdict/loss_trajectories.h"
#include "core/verdict/paired_values.h"
#include "experiment/pairs/exact_sides.h"
#include "experiment/pairs/pair_sequence.h"

namespace stepgate {

/// All that was measured of one case.
struct PairMeasurement {
  PairCase pair_case;
  PairsSoFar timed = {};
  std::optional<ExactMeasurements> exact = {};        ///< absent: only the timed half is wanted
  std::optional<LossTrajectories> trajectories = {};  ///< where seeds were asked for
  std::optional<ControlResult> control = {};          ///< the run's A/A control, whichever case it was measured on
};

/// The exact processes of both builds, and as many more of them as bytes that grew or declared variation need. After a
/// signal what is complete.
ExactMeasurements exact_half_of(const Project& head, const PairCase& pair_case, const Caller& caller);

/// The first case of a run that wants a timed half is also the control's. Absent after an interruption: what was
/// complete is kept for the next run.
std::optional<PairMeasurement> measure_in_pairs(PairRun& pairs, const CasePlan& plan);

}  // namespace stepgate
