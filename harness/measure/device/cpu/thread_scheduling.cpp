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

std::optional<Scheduling> scheduling_between(const ThreadTimes& before, const ThreadTimes& now, const OwnCpu& own) {
  Scheduling sum;
  std::vector<Scheduling> threads;
  for (const auto& [thread, seen] : now) {
    const auto earlier = before.find(thread);
    const Scheduling since = earlier == before.end() ? Scheduling{} : earlier->second;
    threads.push_back({.run_ns = seen.run_ns - since.run_ns, .wait_ns = seen.wait_ns - since.wait_ns});
    sum.run_ns += threads.back().run_ns;
    sum.wait_ns += threads.back().wait_ns;
  }
  if (sum.run_ns <= 0) return std::nullopt;
  std::int64_t busiest = 0;
  for (const Scheduling& thread : threads) busiest = std::max(busiest, thread.run_ns);
  const auto is_busy = [&](const Scheduling& thread) { return thread.run_ns * 100 >= busiest; };
  std::int64_t rest_ns = own.tree_ns;
  std::int64_t busy = 0;
  for (const Scheduling& thread : threads) {
    if (!is_busy(thread)) continue;
    rest_ns -= thread.run_ns;
    ++busy;
  }
  if (busy > own.cpus) return std::nullopt;
  for (const Scheduling& thread : threads) {
    const std::int64_t others_ns = is_busy(thread) ? rest_ns : own.tree_ns - thread.run_ns;
    sum.own_wait_ns += std::clamp<std::int64_t>(others_ns, 0, std::max<std::int64_t>(0, thread.wait_ns));
  }
  return sum;
}

std::map<std::string, std::int64_t> background_threads(const ThreadTimes& before, const ThreadTimes& now,
                                                       const std::string& task_folder) {
  const std::string own = std::to_string(::syscall(SYS_gettid));
  std::map<std::string, std::int64_t> by_name;
  std::int64_t all_ns = 0;
  for (const auto& [thread, seen] : now) {
    if (thread == own) continue;
    const auto earlier = before.find(thread);
    const std::int64_t ran = seen.run_ns - (earlier == before.end() ? 0 : earlier->second.run_ns);
    std::ifstream file(std::filesystem::path(task_folder) / thread / "comm");
    std::string name;
    if (ran <= 0 || !std::getline(file, name)) continue;
    std::replace_if(
        name.begin(), name.end(), [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    by_name[name] += ran;
    all_ns += ran;
  }
  std::erase_if(by_name, [&](const auto& entry) { return entry.second * 100 < all_ns; });
  return by_name;
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
