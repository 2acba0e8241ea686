#include "measure/device/cpu/thread_scheduling.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace stepgate {

ThreadTimes read_thread_times(const std::string& task_folder) {
  namespace fs = std::filesystem;
  ThreadTimes times;
  std::error_code error;
  for (fs::directory_iterator thread(task_folder, error), end; !error && thread != end; thread.increment(error)) {
    std::ifstream file(thread->path() / "schedstat");  // "run_ns wait_ns timeslices"
    Scheduling seen;
    if (file >> seen.run_ns >> seen.wait_ns) times[thread->path().filename().string()] = seen;
  }
  return times;
}

std::optional<Scheduling> scheduling_between(const ThreadTimes& before, const ThreadTimes& now, std::int64_t cpus) {
  Scheduling sum;
  std::vector<std::int64_t> ran;
  for (const auto& [thread, seen] : now) {
    const auto earlier = before.find(thread);
    const Scheduling since = earlier == before.end() ? Scheduling{} : earlier->second;
    sum.run_ns += seen.run_ns - since.run_ns;
    sum.wait_ns += seen.wait_ns - since.wait_ns;
    ran.push_back(seen.run_ns - since.run_ns);
  }
  if (sum.run_ns <= 0) return std::nullopt;
  const std::int64_t busiest = *std::max_element(ran.begin(), ran.end());
  const auto busy = std::count_if(ran.begin(), ran.end(), [&](std::int64_t one) { return one * 100 >= busiest; });
  if (busy > cpus) return std::nullopt;
  return sum;
}

std::int64_t usable_cpus() {
  constexpr std::size_t words = 1024;  // 65 536 CPUs: the kernel refuses a set smaller than its own
  unsigned long mask[words] = {};
  const long bytes = ::syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  std::int64_t cpus = 0;
  for (std::size_t i = 0; bytes > 0 && i < static_cast<std::size_t>(bytes) / sizeof(unsigned long); ++i) {
    cpus += std::popcount(mask[i]);
  }
  return cpus;
}

}  // namespace stepgate
