// The step of the scripted GPU, sound or with one fault.
#pragma once

#include <string>

#include "measure/step/scripted_step.h"

namespace stepgate {

/// A step with 3 ms of compute whose copy of 1.5 ms overlaps with the step before. "none" is sound; STEPGATE_TEST_FAULT
/// names the others: pageable, no_overlap, split, extra_kernel, reserved, slow_loader, log_sync, padding, graph_log,
/// new_shape (the script changes, not the plan). Throws Error(usage) for another name.
ScriptedStepPlan plan_with(const std::string& fault);

}  // namespace stepgate
