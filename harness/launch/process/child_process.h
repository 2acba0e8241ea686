// Runs one child process with its own process group, its own CPUs and a time limit, and leaves nothing behind.
#pragma once

#include <sys/resource.h>

#include <optional>
#include <string>

#include "environment/process/child_usage.h"
#include "environment/process/process_knobs.h"
#include "launch/process/process_request.h"
#include "system/start_process.h"

namespace stepgate {

enum class ProcessEnd {
  exited,       ///< by itself, `code` is its status
  signalled,    ///< by itself, `code` is the signal
  timed_out,    ///< stopped after timeout_s
  interrupted,  ///< stopped because of `interrupted`
  not_started,  ///< `code` is the errno of `start_failure`
};

struct ProcessResult {
  ProcessEnd end = ProcessEnd::not_started;
  int code = 0;
  std::optional<StartFailure> start_failure;  ///< absent where the program ran
  bool killed = false;                        ///< SIGTERM was not enough
  double wall_s = 0;
  rusage usage{};
  ProcessKnobOutcomes knobs{};
  ExitedChild exited;
  double left_behind_cpu_s = 0;  ///< of what it left behind (left_behind.h); 0 with `inherited`
  std::string printed;  ///< what the output file holds: about 1 MiB at most, its middle left out, secrets hidden
};

/// Seconds between SIGTERM and SIGKILL.
inline constexpr double termination_grace_s = 2;

/// Starts the process, waits for its end and kills what is left of its process group, and of all processes that it
/// started elsewhere (left_behind.h; with `inherited` the caller does this). The process also dies with the calling
/// thread. stdin is empty. Waiting wakes up 20 times a second at most.
/// Throws Error(measure) where the output file cannot be written or no process can be made.
ProcessResult run_process(const ProcessRequest& request);

}  // namespace stepgate
