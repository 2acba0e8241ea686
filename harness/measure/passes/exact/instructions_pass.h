// The instructions pass: what the host runs in each boundary, operators or not.
#pragma once

#include <optional>

#include "core/record/run_record.h"
#include "measure/device/cpu/instruction_counter.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// Counts the instructions of `steps.instructions` steps after `steps.exact_warmup` uncounted ones, on the calling
/// thread, with nothing else switched on. Absent where the counter failed in between.
std::optional<InstructionCounts> run_instructions(StepActions& actions, InstructionCounter& counter,
                                                  const StepCounts& steps);

}  // namespace stepgate
