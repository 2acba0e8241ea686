// What was read of a GPU before and during the measured window of one process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "environment/gpu/gpu_driver.h"

namespace stepgate {

/// One quick reading. A CPU that is not measured takes a few per second while the replicate runs.
struct GpuSample {
  std::int64_t time_ns = 0;  ///< on the steady clock
  GpuAnswer<bool> idle;
  GpuAnswer<std::int64_t> clock_mhz;  ///< core
  GpuAnswer<double> temperature_c;
  GpuAnswer<double> power_w;
  GpuCounters counters;
  GpuAnswer<GpuUsers> users;
};

/// What is read once, before our first CUDA call.
struct GpuReading {
  GpuSample sample;
  GpuAnswer<std::int64_t> memory_used_bytes;
  /// Why other users of the GPU are hidden (MIG, vGPU, unknown GPU); "" if they are not.
  std::string hidden_users;
};

/// The measured window: the timed passes of one process. Its start, its warm-up and its end are not part of it.
struct GpuWindow {
  GpuReading before;               ///< taken before the process started
  std::vector<GpuSample> samples;  ///< taken inside the window, in order of time
  /// The process was told where a Multi-Process Service listens. Asked only where the driver has no list of its
  /// clients.
  bool is_told_of_mps = false;
  std::optional<std::int64_t> locked_clock_mhz = {};  ///< absent where the core clock is not locked by us
};

}  // namespace stepgate
