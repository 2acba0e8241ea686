// Which processes used the CPU between two moments, by /proc/<pid>/stat. It names a disturbance for a person; what is
// discarded is decided by evidence alone (taint.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/host/busy_process.h"
#include "environment/cpus/cpu_list.h"

namespace stepgate {

struct ProcessTime {
  std::string name;
  int parent = 0;
  std::int64_t ticks = 0;    ///< user and system time so far
  std::int64_t started = 0;  ///< ticks since boot; tells two processes of one number apart
  int cpu = -1;
};

/// Every process that is visible, by its number. Kernel threads are processes here. One read costs about 15 us a
/// process.
using ProcessTimes = std::map<int, ProcessTime>;

ProcessTimes read_process_times(const std::filesystem::path& sysroot);

struct BusyTime {
  double wall_s = 0;
  double ticks_per_second = 100;
};

/// Who is asked about and who is not.
struct BusyPlace {
  CpuList cpus = {};  ///< the measured CPUs and the hardware threads beside them
  int self = 0;       ///< left out, with its children
};

/// The processes that used at least 2 % of a CPU, at most three: first those that ran last on `place.cpus`, then by CPU
/// time. A process that began and ended between the two readings is not seen.
std::vector<BusyProcess> busiest_processes(const ProcessTimes& before, const ProcessTimes& after, const BusyTime& time,
                                           const BusyPlace& place);

/// The most that are named.
inline constexpr std::size_t most_busy_processes = 3;

}  // namespace stepgate
