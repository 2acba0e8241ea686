// The exact passes that need no tensor: work counters and memory, read at every boundary. No time is taken here.
#pragma once

#include "core/record/run_record.h"
#include "measure/device/backend.h"
#include "measure/device/work_counter.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// Counts operators, kernels, host syncs, allocations, allocated bytes and H2D copies of `steps.counts` steps after
/// `steps.exact_warmup` uncounted ones, per step, by boundary and by operator.
WorkCounts run_counts(StepActions& actions, Backend& backend, WorkCounter& counter, const StepCounts& steps);

/// Allocator statistics at every boundary of `steps.memory` steps after `steps.exact_warmup`; peaks, and what stays
/// allocated at each step's end once batch and loss are released (a leak shows there).
MemoryProfile run_memory(StepActions& actions, Backend& backend, const StepCounts& steps);

}  // namespace stepgate
