// The GPU's clock in each window of the timed passes, from what was sampled beside the process.
#pragma once

#include <cstdint>
#include <vector>

#include "core/record/run_record.h"
#include "environment/gpu/gpu_window.h"

namespace stepgate {

/// The core clock of a working GPU.
struct ClockReading {
  std::int64_t time_ns = 0;  ///< on the steady clock
  std::int64_t mhz = 0;
};

/// Those of one GPU, in order of time. Samples of an idle GPU are left out: its clock falls even if it is locked.
using ClockReadings = std::vector<ClockReading>;

ClockReadings clock_readings(const GpuWindow& window);

/// Pure. Sets Window::gpu_clock_khz of each window that says when it began: the mean of the readings in it, of several
/// GPUs the lowest. A window without a reading, such as one that is shorter than the time between two, has none.
void add_window_clocks(const std::vector<ClockReadings>& gpus, RunRecord& record);

}  // namespace stepgate
