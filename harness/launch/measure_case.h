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
#include "core/record/measurement.h"
#include "environment/cpus/cpu_list.h"
#include "environment/gpu/gpu_driver.h"

namespace stepgate {

/// What the guard does for each measured process, and what it did to the host.
struct LaunchGuard {
  GuardMode mode = GuardMode::process;
  std::set<std::string> off;                ///< process knobs that are left alone, by name (ablate)
  CpuList allowed = {};                     ///< CPUs to choose from, as before any partition; empty: those of now
  std::string partition;                    ///< cgroup that measured processes enter, "" = none
  std::vector<KnobReport> host_knobs = {};  ///< recorded with the measurement
  GpuDriver* gpu = nullptr;                 ///< nullptr: GPUs are not watched
  std::optional<std::int64_t> locked_gpu_clock_mhz = {};
  /// One sentence for each host knob that somebody else changed meanwhile; asked after every process. May be empty.
  std::function<std::vector<std::string>()> overwritten = {};
};

struct LaunchRequest {
  std::string case_name;
  std::filesystem::path program;
  std::string benchmark = "";  ///< not "": `program` is a plain Google Benchmark program, and this is what it runs
  std::filesystem::path reference_program = {};  ///< perftest program for group reference; empty: `program`
  std::string device;                            ///< "cpu" or "cuda"; "" takes the plan's
  Plan plan;
  std::vector<Group> groups;
  std::filesystem::path data_dir;  ///< empty: the program's own default
  std::filesystem::path out_dir;   ///< run records and what the processes printed go here
  TaintLimits taint_limits;        ///< over the defaults of core/record/evidence_key.h
  std::string runner_class;
  std::string commit;
  LaunchGuard guard = {};
  std::string gpu_uuid;        ///< the one GPU to use; "" leaves the choice to the driver
  int turn_socket = -1;        ///< of two processes alive together (measure_alternating.h); -1: this one is alone
  std::string gpu_pci_bus_id;  ///< the same GPU's bus id: nearby CPUs are used, and a record from another is refused
};

/// Told before each process starts.
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
  const std::atomic<int>* interrupted = nullptr;           ///< number of a signal, 0 as long as none came
};

/// Runs group exact first (it needs no quiet machine and fails fast), then timed and reference in turns. A replicate
/// whose evidence taints it is repeated at most plan.max_retries times and kept; counts do not care about noise, so
/// group exact is never tainted. After a failure no more processes of that group are started, nor of reference where
/// timed failed. After an interruption the running process is stopped and what is there is returned.
/// The calling thread is moved to the housekeeping CPUs meanwhile and put back afterwards.
/// A plain Google Benchmark program has group timed only, and reference through another program.
/// Throws Error(usage) for a request without program, case or groups, or with one that a plain benchmark lacks,
/// Error(measure) where no process can be started on this host at all (no usable CPU, out_dir not writable).
Measurement measure_case(const LaunchRequest& request, const LaunchCallbacks& callbacks);

}  // namespace stepgate
