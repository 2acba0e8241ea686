// What a GPU went through during a replicate, as evidence: was it hot, held back, off its lock, or somebody else's too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/evidence.h"
#include "environment/gpu/gpu_driver.h"

namespace stepgate {

/// One quick look, a few of them a second while the replicate runs, from a CPU that is not measured.
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
  /// Why the other users of the GPU are out of sight, "" where they are not: MIG, vGPU, or not told which.
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
/// - gpu_hw_thermal_ns, gpu_power_brake_ns: growth of the driver's counters. Default limit 0: the hardware halves the
///   clock, which is the host's cooling or supply and no property of the code.
/// - other_gpu_processes: the list must be empty before our first CUDA call and hold exactly own_processes after.
///   Default limit 0. Only counted, never matched by number: inside a container those are the host's. Absent where a
///   GPU is shared out of sight (MIG, vGPU) and where the list holds fewer than ours, so that it hides others too.
/// - gpu_clock_off_lock_fraction: of the samples of the working GPU, how many were more than 2 % off the locked clock,
///   less those since whose predecessor power-cap time grew. Default limit 0.02. Absent below 50 such samples, where a
///   single one would decide.
/// - gpu_power_cap_fraction, gpu_sw_thermal_ns, gpu_sync_boost_ns: never limited by default. The power cap is often a
///   GPU's equilibrium and code moves its own power draw: it may label a replicate, never excuse it.
/// - gpu_clock_mean_mhz, gpu_power_w: means over the samples of the working GPU. gpu_temperature_c: the highest seen.
/// - gpu_memory_used_before_bytes: not limited, since the quiet level differs between GPUs and drivers; more than usual
///   tells of users that the process list hides.
///
/// A sample of a GPU that the driver calls idle, or of which it does not say, counts for no mean and no fraction: the
/// clock of an idle GPU falls, lock or no lock.
void add_gpu_evidence(const GpuWindow& window, Evidence& evidence);

}  // namespace stepgate
