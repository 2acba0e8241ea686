// One case from plan to measurement: fresh processes one after another, groups interleaved, tainted ones repeated.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/plan.h"
#include "core/record/measurement.h"
#include "launch/launch_request.h"
#include "launch/replicate/discarded_replicate.h"

namespace stepgate {

/// Reported before each process starts.
struct LaunchProgress {
  std::string case_name;
  Group group = Group::timed;
  std::int64_t index = 0;             ///< number of the replicate within its group
  std::int64_t attempt = 0;           ///< above 0: repeated after taint
  std::int64_t started = 0;           ///< planned processes before this one, retries not counted
  std::int64_t planned = 0;           ///< processes in all, retries not counted
  double elapsed_s = 0;               ///< since measure_case began
  std::optional<double> remaining_s;  ///< estimate; absent until a process of each group to come has been seen
};

struct LaunchCallbacks {
  std::function<void(const LaunchProgress&)> on_progress;  ///< may be empty
  const std::atomic<int>* interrupted = nullptr;           ///< number of a signal; 0: none yet
  std::function<void(const DiscardedReplicate&)> on_discarded = {};
  std::function<void(const GivenUpGroup&)> on_given_up = {};
};

/// Runs group exact first (it needs no quiet machine and fails fast), then alternates timed and reference. A replicate
/// that its evidence taints is kept and repeated at most plan.max_retries times; a group that is hopeless (schedule.h)
/// is given up, and reference with timed. Noise does not change counts, so group exact is never tainted. After a
/// failure no more processes of that group start, and none of reference where timed failed. An interruption stops the
/// running process; the function then returns what it has. The calling thread runs on the housekeeping CPUs meanwhile.
/// With `may_lengthen_windows` a first timed process with windows that are too short is not part of the result: it is
/// run again with the counts that its step time asks for, which all later processes get. Measurement::plan names them.
/// If `unavailable` is present, each asked group has one replicate with that failure, and nothing is started.
/// A plain Google Benchmark program has group timed only, and reference through another program.
/// Throws Error(usage) for a request without program, case or groups, or with one that a plain benchmark lacks,
/// Error(measure) where no process can be started on this host at all (no usable CPU, out_dir not writable).
/// With `seeks_hazards` one process more of an emulated GPU follows; its failure is a replicate of group exact.
Measurement measure_case(const LaunchRequest& request, const LaunchCallbacks& callbacks);

}  // namespace stepgate
