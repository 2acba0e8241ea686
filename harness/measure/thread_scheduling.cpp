#include "measure/thread_scheduling.h"

#include <filesystem>
#include <fstream>
#include <system_error>

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

std::optional<Scheduling> scheduling_between(const ThreadTimes& before, const ThreadTimes& now) {
  Scheduling sum;
  for (const auto& [thread, seen] : now) {
    const auto earlier = before.find(thread);
    const Scheduling since = earlier == before.end() ? Scheduling{} : earlier->second;
    sum.run_ns += seen.run_ns - since.run_ns;
    sum.wait_ns += seen.wait_ns - since.wait_ns;
  }
  if (sum.run_ns <= 0) return std::nullopt;
  return sum;
}

}  // namespace stepgate
