// A chrome trace of a few steps by LibTorch's profiler, with a range for each step and boundary.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/profile_run.h"
#include "measure/passes/timed_passes.h"
#include "measure/profile/trace_schedule.h"

namespace stepgate {

struct TraceRequest {
  std::filesystem::path file;  ///< zipped where it ends with .gz; later cycles get a number: trace-2.json.gz
  TraceSchedule schedule;
  bool writes = true;  ///< false: only runs the steps, because another rank traces
  bool on_cuda = false;
  std::int64_t calls_per_step = 0;  ///< operators called; 0: unknown. Limits the steps of a file (trace_schedule.h).
};

/// False for what a full disk leaves of a trace: a whole one ends with its closing brace.
bool is_whole_trace(std::string_view text);

struct TracedSteps {
  /// "" or why there is no trace (disk full, no room); then no part of a file is left.
  std::string problem = {};
  std::vector<DeviceTime> device_times = {};  ///< on a GPU: of the first cycle
};

/// Runs the steps of the schedule and writes one file for each cycle. The profiler's threads and buffers stay, so this
/// is the last thing that a process measures.
TracedSteps trace_steps(TimedRun& run, const TraceRequest& request);

}  // namespace stepgate
