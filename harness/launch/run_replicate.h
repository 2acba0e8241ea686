// One fresh process with its record, evidence and taint.
#pragma once

#include "core/record/measurement.h"
#include "launch/replicate_request.h"

namespace stepgate {

/// Starts the process, waits for it, reads and checks its record. A process that fails is a Replicate with `failure`,
/// not an exception. Evidence is read around the process, taint decided from it alone, whatever was timed.
/// Throws Error(measure) where no process can be started on this host at all.
Replicate run_replicate(const ReplicateRequest& request);

/// Stands for a process that was never started because a signal came first: nobody should take a shorter measurement
/// for a whole one.
Replicate interrupted_before_start(const ReplicateRequest& request);

}  // namespace stepgate
