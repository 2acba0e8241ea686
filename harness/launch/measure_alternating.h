// Two processes that are alive together and alternate their timed windows. What drifts more slowly than a window is
// then the same for both.
#pragma once

#include "launch/measure_case.h"

namespace stepgate {

struct MeasuredAlternating {
  Measurement first;
  Measurement second;
};

/// Runs one timed process of each request on the same CPUs. The two alternate: each sets up, runs the cold first step,
/// warms up, runs its e2e pass window by window and then the other passes one by one. Only one of them runs at any
/// time. A time limit holds for both together, so each gets twice its own. A tainted process is not repeated here: the
/// caller repeats the pair. The caller reports progress itself. Throws as measure_case does, and
/// Error(measure) where no socket pair can be made.
MeasuredAlternating measure_alternating(const LaunchRequest& first, const LaunchRequest& second,
                                        const LaunchCallbacks& callbacks);

}  // namespace stepgate
