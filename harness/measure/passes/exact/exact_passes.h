// The exact passes that need no tensor: work counters and memory, read at every boundary. They take no times.
#pragma once

#include "core/record/run_record.h"
#include "measure/device/backend.h"
#include "measure/device/work/work_counter.h"
#include "measure/passes/exact/held_resources.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// Counts operators, kernels, host syncs, allocations, allocated bytes and H2D copies of `steps.counts` steps after
/// `steps.exact_warmup` uncounted ones, per step, by boundary and by operator.
WorkCounts run_counts(StepActions& actions, Backend& backend, WorkCounter& counter, const StepCounts& steps);

/// Reads allocator statistics at every boundary of `steps.memory` steps, after `steps.exact_warmup` steps: the peaks,
/// and what is still allocated at each step's end, after batch and loss were released. A leak shows there. `held`,
/// where it is given, reads what the process holds at the same times.
MemoryProfile run_memory(StepActions& actions, Backend& backend, const StepCounts& steps,
                         HeldResources* held = nullptr);

}  // namespace stepgate
