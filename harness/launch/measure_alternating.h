// Two processes that are alive together and run their timed windows in turns, so that what drifts more slowly than a
// window is the same for both.
#pragma once

#include <atomic>

#include "launch/measure_case.h"

namespace stepgate {

struct MeasuredAlternating {
  Measurement first;
  Measurement second;
};

/// One timed process of each request, on the same CPUs. In turns they set up, run the cold first step, warm up, run
/// their e2e passes window by window, and then pass by pass what is left; only one of them runs at any time. A time
/// limit holds for both together, so each gets twice its own; a tainted process is not repeated here (its pair has to
/// be). Throws as measure_case does, and Error(measure) where no socket pair can be made.
MeasuredAlternating measure_alternating(const LaunchRequest& first, const LaunchRequest& second,
                                        const std::atomic<int>* interrupted);

}  // namespace stepgate
