// What the record of a process tells of interference: evidence beside the counters of the host.
#pragma once

#include "core/record/measurement.h"
#include "launch/replicate/replicate_request.h"

namespace stepgate {

/// Adds the waits of its threads for a CPU, what it did while the other process of its pair had its window, and how
/// late the generator of its requests was. Nothing else of the record is read, and no time that is judged.
void add_recorded_evidence(const ReplicateRequest& request, double left_behind_cpu_s, Replicate& replicate);

}  // namespace stepgate
