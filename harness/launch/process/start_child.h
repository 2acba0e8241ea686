// Starts the process of a ProcessRequest with its knobs set.
#pragma once

#include "environment/process/process_knobs.h"
#include "launch/process/child_output.h"
#include "launch/process/process_request.h"
#include "system/start_process.h"

namespace stepgate {

struct StartedChild {
  StartedProcess process;
  ProcessKnobOutcomes knobs{};
};

/// Returns once the program runs or cannot run. Throws as run_process does.
StartedChild start_child(const ProcessRequest& request, const ChildOutput& output);

}  // namespace stepgate
