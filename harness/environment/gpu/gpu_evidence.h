// Evidence of a GPU during a replicate: heat, power limits, its locked clock, other users.
#pragma once

#include <optional>
#include <string>

#include "core/record/evidence.h"
#include "environment/gpu/gpu_driver.h"
#include "environment/gpu/gpu_window.h"

namespace stepgate {

/// Both never throw. If the driver does not tell a value, its answer holds the reason.
GpuSample sample_gpu(GpuDriver& driver, const std::string& uuid);
GpuReading read_gpu(GpuDriver& driver, const std::string& uuid);

/// The driver's own words if it no longer reaches the GPU: no question has an answer, and at least one is missing
/// because the GPU is gone. Else absent.
std::optional<std::string> loss_in(const GpuSample& sample);

/// Pure. Adds these keys, or says in `absent` why not. All describe the window, none the whole process:
///
/// - gpu_hw_thermal_ns, gpu_power_brake_ns: growth of the driver's counters from the first sample to the last. Limited
///   by default: the hardware halves the clock because of the host's cooling or power supply, not because of the code.
/// - other_gpu_processes: gpu_users.h.
/// - gpu_mps_clients: the most clients of the Multi-Process Service that were listed, ours included. Never limited.
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
