// The time that this process's threads ran and waited for a CPU, as the kernel counts it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace stepgate {

/// Run and wait time of each thread since its start, by thread number; empty if the kernel keeps none.
using ThreadTimes = std::map<std::string, Scheduling>;

/// Reads below `task_folder`, "/proc/self/task" outside tests. It makes system calls, so call it between passes only.
ThreadTimes read_thread_times(const std::string& task_folder);

/// What the threads may have waited for themselves.
struct OwnCpu {
  std::int64_t cpus = 1;     ///< CPUs that this process may run on
  std::int64_t tree_ns = 0;  ///< CPU time of all threads and descendants meanwhile (system/process_cpu.h)
};

/// The time since `before`, summed over the threads of `now`: a thread that began meanwhile counts completely, one that
/// ended does not count. Absent if nothing ran, or if more threads than CPUs were busy (ran for a hundredth of the
/// busiest one's time): loader workers and the step then wait for each other, so the sum does not show other processes.
/// own_wait_ns: no thread waits for the process itself longer than the rest of it ran. For a busy thread the rest is
/// what is not of busy threads: short threads, ended ones and children. Pure.
std::optional<Scheduling> scheduling_between(const ThreadTimes& before, const ThreadTimes& now, const OwnCpu& own);

/// CPU time since `before` of the threads of `now`, summed by their names; without the calling thread, and without
/// those that took less than a hundredth of it all. What does not print in a name becomes "?".
std::map<std::string, std::int64_t> background_threads(const ThreadTimes& before, const ThreadTimes& now,
                                                       const std::string& task_folder);

/// The number of CPUs that this process may run on.
std::int64_t usable_cpus();

}  // namespace stepgate
