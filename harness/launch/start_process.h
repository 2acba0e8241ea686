// The way from fork to exec: everything that needs memory is prepared before, the rest is async-signal-safe.
#pragma once

#include <sys/types.h>

#include <string>

#include "launch/child_process.h"

namespace stepgate {

struct StartedProcess {
  pid_t pid = 0;           ///< 0 where the program does not run
  std::string start_step;  ///< what failed in the child before the program ran
  int error = 0;           ///< its errno
  ProcessKnobOutcomes knobs{};
};

/// Returns once the program runs or is known not to. Throws as run_process does.
StartedProcess start_process(const ProcessRequest& request);

}  // namespace stepgate
