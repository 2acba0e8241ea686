// Evidence of a GPU during a replicate: heat, power limits, its locked clock, other users.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/evidence.h"
#include "environment/gpu/gpu_driver.h"

namespace stepgate {

/// One quick reading. A CPU that is not measured takes a few per second while the replicate runs.
struct GpuSample {
  std::int64_t time_ns = 0;  ///< of the steady clock
  GpuAnswer<bool> idle;
  GpuAnswer<std::int64_t> clock_mhz;  ///< core
  GpuAnswer<double> temperature_c;
  GpuAnswer<double> power_w;
  GpuCounters counters;
};

/// A sample and who uses the GPU.
struct GpuReading {
  GpuSample sample;
  GpuAnswer<std::int64_t> compute_processes;
  GpuAnswer<std::int64_t> mps_processes;
  GpuAnswer<std::int64_t> memory_used_bytes;
  /// Why other users of the GPU are hidden (MIG, vGPU, unknown GPU); "" if they are not.
  std::string hidden_users;
};

struct GpuWindow {
  GpuReading before;               ///< taken before our first CUDA call
  GpuReading after;                ///< taken when the replicate is done
  std::vector<GpuSample> samples;  ///< between the two, in order of time
  std::int64_t own_processes =
      0;  ///< of ours, alive with a CUDA context when `after` was taken; 0 once they have ended
  std::optional<std::int64_t> locked_clock_mhz;  ///< absent where the core clock is not locked by us
};

/// Never throw; what the driver does not say is in the answers.
GpuSample sample_gpu(GpuDriver& driver, const std::string& uuid);
GpuReading read_gpu(GpuDriver& driver, const std::string& uuid);

/// Pure. Adds these keys, or says in `absent` why not:
///
/// - gpu_hw_thermal_ns, gpu_power_brake_ns: growth of the driver's counters. Limited by default: the hardware halves
/// the
///   clock because of the host's cooling or power supply, not because of the code.
/// - other_gpu_processes: the list must be empty before our first CUDA call and hold exactly own_processes after.
///   Processes are counted, never matched by number: inside a container the numbers are the host's. Absent if a GPU has
///   hidden users (MIG, vGPU) or if the list holds fewer than ours, since it then hides others too.
/// - gpu_clock_off_lock_fraction: of the samples of the working GPU, how many were more than 2 % off the locked clock,
///   except those during which power-cap time grew. Absent below 50 samples, since a single one would decide.
/// - gpu_power_cap_fraction, gpu_sw_thermal_ns, gpu_sync_boost_ns: never limited by default. The power cap is often a
///   GPU's normal state, and code changes its own power draw: it may label a replicate, never discard it.
/// - gpu_clock_mean_mhz, gpu_power_w: means over the samples of the working GPU. gpu_temperature_c: the highest seen.
/// - gpu_memory_used_before_bytes: not limited, since the quiet level differs between GPUs and drivers; more than usual
///   means users that the process list hides.
///
/// Means and fractions leave out samples of a GPU that is idle or of unknown activity: the clock of an idle GPU falls
/// even if it is locked.
void add_gpu_evidence(const GpuWindow& window, Evidence& evidence);

}  // namespace stepgate
