#include "system/process_cpu.h"

#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "system/descendants.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t ns_per_second = 1'000'000'000;

std::int64_t ns_of_clock(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return 0;
  return now.tv_sec * ns_per_second + now.tv_nsec;
}

std::int64_t ns_of(const timeval& time) { return time.tv_sec * ns_per_second + time.tv_usec * 1000; }

/// Children that this process waited for, with theirs.
std::int64_t waited_children_ns() {
  rusage usage{};
  if (::getrusage(RUSAGE_CHILDREN, &usage) != 0) return 0;
  return ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
}

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/// What a process waited for itself: cutime and cstime of proc(5), in clock ticks.
std::int64_t waited_ns_of(pid_t pid) {
  std::ifstream file(fs::path("/proc") / std::to_string(pid) / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream words(text.substr(name_end + 1));
  constexpr int words_before = 13;
  std::string skipped;
  for (int i = 0; i < words_before; ++i) words >> skipped;
  std::int64_t user = 0;
  std::int64_t system = 0;
  if (!(words >> user >> system)) return 0;
  return (user + system) * (ns_per_second / std::max(1L, ::sysconf(_SC_CLK_TCK)));
}

std::int64_t descendants_ns() {
  std::int64_t sum = 0;
  for (const pid_t pid : descendants_of(::getpid())) {
    clockid_t clock{};
    if (::clock_getcpuclockid(pid, &clock) == 0) sum += ns_of_clock(clock);
    sum += waited_ns_of(pid);
  }
  return sum;
}

}  // namespace

ProcessCpu read_process_cpu() {
  ProcessCpu cpu{.tree_ns = ns_of_clock(CLOCK_PROCESS_CPUTIME_ID), .thread_ns = ns_of_clock(CLOCK_THREAD_CPUTIME_ID)};
  cpu.tree_ns += waited_children_ns();
  if (has_children()) cpu.tree_ns += descendants_ns();
  return cpu;
}

std::int64_t background_ns(const ProcessCpu& before, const ProcessCpu& after) {
  return std::max<std::int64_t>(0, (after.tree_ns - before.tree_ns) - (after.thread_ns - before.thread_ns));
}

}  // namespace stepgate
