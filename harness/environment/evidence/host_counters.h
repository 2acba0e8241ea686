// Counters of the host that grow when something disturbs a measurement, read once before and once after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "environment/cpus/cpu_list.h"

namespace stepgate {

/// Ticks (USER_HZ, usually 10 ms) of a set of CPUs since boot, from /proc/stat.
struct CpuTicks {
  std::int64_t busy = 0;       ///< user, nice, system, irq, softirq
  std::int64_t steal = 0;      ///< ready to run, but the hypervisor ran another machine
  std::int64_t total = 0;      ///< busy, steal and idle
  std::int64_t interrupt = 0;  ///< irq and softirq, part of busy
};

struct HostCounters {
  std::optional<CpuTicks> measured;
  std::optional<CpuTicks> siblings;  ///< of the measured cores' other hardware threads
  std::optional<std::int64_t> throttled_periods;
  std::optional<std::int64_t> swap_pages;
  std::optional<std::int64_t> numa_pages_migrated;
  std::optional<std::int64_t> cpu_throttle_events;
  std::optional<std::int64_t> memory_stall_us;  ///< some task waited for memory, since boot (/proc/pressure/memory)
  std::optional<double> load_average;           ///< runnable processes, mean over the last minute
  std::map<std::string, std::string> absent;    ///< evidence key -> why it cannot be read here
};

struct CounterSource {
  std::filesystem::path sysroot = "/";
  CpuList measured;
  CpuList siblings;
};

/// Reads what there is; what cannot be read is absent with a reason. The cgroup counters are those of this process and
/// of all groups above it, since a quota anywhere on the way up stops a child too. Throws nothing.
HostCounters read_host_counters(const CounterSource& source);

}  // namespace stepgate
