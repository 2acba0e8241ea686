// The timed passes: warm-up to a steady state, then e2e, phase and synthetic with fixed step counts.
// Nothing of ours runs inside a window: no synchronisation, allocation, logging, lock or system call.
#pragma once

#include <cstdint>

#include "core/run_record.h"
#include "measure/backend.h"
#include "measure/step_actions.h"

namespace stepgate {

/// Runs the cold first step (recorded apart) and then steps until the steady-state criteria of
/// notes B3 hold or `steps.warmup_cap` is reached.
Warmup warm_up(StepActions& actions, Backend& backend, const StepCounts& steps);

/// The user's loop as written: one synchronisation at the end of each window, none inside.
TimedPass run_e2e(StepActions& actions, Backend& backend, const StepCounts& steps);

/// Device synchronised at each boundary: what each boundary costs alone. `windows` stays empty.
TimedPass run_phase(StepActions& actions, Backend& backend, const StepCounts& steps);

/// One resident batch, no loader: the compute ceiling. Leaves `actions` in resident mode.
TimedPass run_synthetic(StepActions& actions, Backend& backend, const StepCounts& steps);

}  // namespace stepgate
