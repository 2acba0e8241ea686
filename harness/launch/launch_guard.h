// What the guard does for each measured process of a case.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/host/knob.h"
#include "environment/cpus/cpu_list.h"
#include "environment/gpu/gpu_driver.h"

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

}  // namespace stepgate
