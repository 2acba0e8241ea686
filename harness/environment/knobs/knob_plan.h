// What the planners of host knobs are given and what they answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/host/knob.h"
#include "core/host/knob_change.h"
#include "environment/cpus/cpu_list.h"
#include "environment/gpu/gpu_driver.h"
#include "environment/host_files/host_files.h"

namespace stepgate {

/// A clock is locked only where the user names it. The driver cannot say what it was locked to before, so that locking
/// may remove somebody else's lock for good.
struct GpuWishes {
  GpuDriver* driver = nullptr;  ///< nullptr: the run uses no GPU, or nobody knows which
  std::string uuid = {};        ///< "GPU-..."
  std::optional<std::int64_t> lock_clock_mhz = {};
  std::optional<std::int64_t> lock_memory_clock_mhz = {};
};

/// What a knob needs to know of the run.
struct HostWishes {
  CpuList measured;      ///< where measured processes run
  CpuList siblings;      ///< hardware threads beside them, to be left idle
  CpuList housekeeping;  ///< where everything else may go; empty where no core is left over
  GpuWishes gpu = {};
};

/// The changes of one or more knobs in the order of application, and the reports of knobs that need no change: already
/// as wanted, unsupported, or denied before anything was tried.
struct KnobPlan {
  std::vector<KnobChange> changes;
  std::vector<KnobReport> settled = {};
};

}  // namespace stepgate
