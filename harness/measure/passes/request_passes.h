// The passes of an inference case: how long each request takes. Within a request stepgate reads the host clock and
// waits for the device once, when the answer has to be there; what is kept of a request is computed after its answer.
#pragma once

#include <cstdint>

#include "core/record/inference/request_times.h"
#include "measure/passes/arrivals.h"
#include "measure/passes/timed_passes.h"

namespace stepgate {

/// Closed loop: `steps.requests` requests one after another, in blocks of `steps.window`. In alternating windows the
/// other process of the pair runs after each block. Throws Error(usage) where a count is not positive.
ClosedLoop run_requests(TimedRun& run);

struct OpenLoopPlan {
  double rate_per_s = 0;
  double capacity_per_s = 0;  ///< of the closed loop of this process; only noted
  std::uint64_t seed = 0;     ///< of the arrivals
};

/// Open loop: `steps.open_requests` requests at scheduled arrivals. A request whose arrival is past begins at once.
/// While the server waits for the next one, StepActions::before_window() may work for a window of requests, as it does
/// before each block of the closed loop; without such a wait a request does that work itself, after its answer.
/// Throws Error(usage) where the count is not positive.
OpenLoop run_open_requests(TimedRun& run, const OpenLoopPlan& plan, Arrivals& arrivals);

}  // namespace stepgate
