// All that was measured of one case in pairs.
#pragma once

#include <optional>

#include "core/verdict/losses/loss_trajectories.h"
#include "core/verdict/paired_values.h"
#include "experiment/pairs/exact_sides.h"
#include "experiment/pairs/pair_sequence.h"

namespace stepgate {

struct PairMeasurement {
  PairCase pair_case;
  PairsSoFar timed = {};
  std::optional<ExactMeasurements> exact = {};        ///< absent: only the timed half is wanted
  std::optional<LossTrajectories> trajectories = {};  ///< where seeds were asked for
  std::optional<ControlResult> control = {};          ///< the A/A control, whichever case it was measured on;
                                                      ///< absent where no red needs it
};

}  // namespace stepgate
