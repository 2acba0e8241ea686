// What the planners of host knobs are asked and what they answer.
#pragma once

#include <string>
#include <vector>

#include "core/host/knob.h"
#include "core/host/knob_change.h"
#include "environment/cpus/cpu_list.h"
#include "environment/host_files/host_files.h"

namespace stepgate {

/// Restore ranks, in order.
inline constexpr int rank_partition = 10;
inline constexpr int rank_gpu = 20;
inline constexpr int rank_frequency_limits = 30;
inline constexpr int rank_governor = 40;
inline constexpr int rank_energy_preference = 41;
inline constexpr int rank_turbo = 50;
inline constexpr int rank_policy_turbo = 51;
inline constexpr int rank_kernel_switches = 60;
inline constexpr int rank_interrupts = 70;
inline constexpr int rank_interrupt_daemon = 80;

/// Writing a governor moves these by itself (which ones depends on the driver).
inline bool moves_with_governor(const std::string& knob) {
  return knob == "turbo" || knob == "energy_preference" || knob == "frequency_limits";
}

/// What a knob needs to know of the run.
struct HostWishes {
  CpuList measured;      ///< where measured processes run
  CpuList siblings;      ///< hardware threads beside them, to be left idle
  CpuList housekeeping;  ///< where everything else may go; empty where no core is left over
};

/// The changes of one or more knobs in the order of application, and the reports of knobs that need none: already as
/// wanted, unsupported, or denied before anything was tried.
struct KnobPlan {
  std::vector<KnobChange> changes;
  std::vector<KnobReport> settled;
};

}  // namespace stepgate
