// Counters read before and after a replicate, from which taint is decided before any timing is looked at.
#pragma once

#include <map>
#include <string>

namespace stepgate {

/// Keys carry their units. In use: wall_s, steal_fraction, quota_throttled_periods, swap_pages, runqueue_wait_fraction,
/// involuntary_switches, voluntary_switches, minor_faults, major_faults, foreign_busy_fraction, cpu_throttle_events,
/// load_average, affinity_changed, interrupt_fraction, numa_pages_migrated, memory_stall_fraction, cpu_offline,
/// cpu_mean_mhz, knobs_overwritten, watch_cpu_fraction, and those of environment/gpu_evidence.h. `absent` says why a
/// counter could not be read here.
struct Evidence {
  std::map<std::string, double> values;
  std::map<std::string, std::string> absent;
};

}  // namespace stepgate
