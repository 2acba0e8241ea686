// One fresh process with its record, evidence and taint.
#pragma once

#include "core/record/measurement.h"
#include "launch/replicate/replicate_request.h"

namespace stepgate {

/// Starts the process, waits for it, reads and checks its record. A process that fails gives a Replicate with
/// `failure`, not an exception. Evidence is read before and after the process and alone decides taint; the times have
/// no part in it. Throws Error(measure) where no process can be started on this host at all.
Replicate run_replicate(const ReplicateRequest& request);

/// The entry for a process that did not start because a signal came first. It marks the measurement as incomplete.
Replicate interrupted_before_start(const ReplicateRequest& request);

}  // namespace stepgate
