// How long this process's threads ran and waited for a CPU, as the kernel counts it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace stepgate {

/// Run and wait time of each thread since its start, by thread number; empty where the kernel keeps none.
using ThreadTimes = std::map<std::string, Scheduling>;

/// Reads below `task_folder`, "/proc/self/task" outside tests. System calls: between passes only.
ThreadTimes read_thread_times(const std::string& task_folder);

/// The sum over threads of `now` of what came after `before`: threads that began meanwhile count whole, those that
/// ended not at all. Absent where nothing ran, and where more threads than `cpus` were busy (ran for a hundredth of
/// what the busiest ran): loader workers beside the step wait for each other then, and the sum says nothing of others.
/// Pure.
std::optional<Scheduling> scheduling_between(const ThreadTimes& before, const ThreadTimes& now, std::int64_t cpus);

/// How many CPUs this process may run on.
std::int64_t usable_cpus();

}  // namespace stepgate
