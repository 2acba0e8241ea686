// One case from plan to measurement: fresh processes one after another, groups interleaved, tainted ones repeated.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/host/knob.h"
#include "core/plan.h"
#include "core/profile_parts.h"
#include "core/record/measurement.h"
#include "environment/cpus/cpu_list.h"
#include "environment/gpu/gpu_choice.h"
#include "environment/gpu/gpu_driver.h"
#include "launch/replicate/discarded_replicate.h"

namespace stepgate {

/// What the guard does for each measured process, and what it did to the host.
struct LaunchGuard {
  GuardMode mode = GuardMode::process;
  std::set<std::string> off;                ///< names of process knobs that are not set (ablate)
  CpuList allowed = {};                     ///< CPUs to choose from, as before any partition; empty: the current ones
  std::string partition;                    ///< cgroup that measured processes enter, "" = none
  std::vector<KnobReport> host_knobs = {};  ///< recorded with the measurement
  GpuDriver* gpu = nullptr;                 ///< nullptr: GPUs are not watched
  std::optional<std::int64_t> locked_gpu_clock_mhz = {};
  /// Returns one sentence for each host knob that something else changed. Called after every process. May be empty.
  std::function<std::vector<std::string>()> overwritten = {};
};

struct LaunchRequest {
  std::string case_name;
  std::filesystem::path program;
  std::string benchmark = "";  ///< the benchmark to run where `program` is a plain Google Benchmark program, else ""
  std::filesystem::path reference_program = {};  ///< perftest program for group reference; empty: `program`
  std::string device;                            ///< "cpu" or "cuda"; "" takes the plan's
  Plan plan;
  std::vector<Group> groups;
  std::filesystem::path data_dir;               ///< empty: the program's own default
  std::filesystem::path out_dir;                ///< run records and what the processes printed go here
  TaintLimits taint_limits;                     ///< over the defaults of core/record/evidence_key.h
  std::int64_t fewest_clean = 3;                ///< a verdict needs so many clean timed processes
  std::set<std::string> passed_variables = {};  ///< names of the user\'s variables that processes get on top
  std::string runner_class;
  std::string commit;
  LaunchGuard guard = {};
  /// The GPUs of its processes, in the order of ranks. Empty on cuda: the first process tells what it found, and the
  /// next ones get that.
  std::vector<ChosenGpu> gpus = {};
  std::optional<ReplicateFailure> unavailable = {};  ///< why no process can be started on this machine
  int turn_socket = -1;  ///< where two processes alternate (measure_alternating.h); -1: this one is alone
  /// True: the first timed process decides about the step counts of all (window_length.h). False: the plan's hold.
  bool may_lengthen_windows = false;
  ProfileParts profile_parts = ProfileParts::all;  ///< group profile
  /// Steps of the chrome trace that process 0 of group profile writes beside its record
  /// (measure/profile/trace_schedule.h), e.g. "skip=3,active=5"; "": no trace.
  std::string trace_schedule = {};
  std::filesystem::path source_root = {};  ///< of the program; source lines are named relative to it; empty: unknown
  std::string gpu_pci_bus_id;              ///< of a GPU whose nearby CPUs are used; "" = none
};

/// Reported before each process starts.
struct LaunchProgress {
  std::string case_name;
  Group group = Group::timed;
  std::int64_t index = 0;             ///< of the replicate within its group
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
/// Where `unavailable` is present, each asked group has one replicate with that failure, and nothing is started.
/// A plain Google Benchmark program has group timed only, and reference through another program.
/// Throws Error(usage) for a request without program, case or groups, or with one that a plain benchmark lacks,
/// Error(measure) where no process can be started on this host at all (no usable CPU, out_dir not writable).
Measurement measure_case(const LaunchRequest& request, const LaunchCallbacks& callbacks);

}  // namespace stepgate
