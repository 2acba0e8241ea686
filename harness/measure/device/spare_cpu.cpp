#include "measure/device/spare_cpu.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

namespace stepgate {
namespace {

std::string core_of(int cpu) {
  std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
  std::string siblings;
  std::getline(file, siblings);
  return siblings.empty() ? std::to_string(cpu) : siblings;
}

bool shares_a_core(int cpu, const cpu_set_t& mine, int cpus) {
  const std::string core = core_of(cpu);
  for (int other = 0; other < cpus; ++other) {
    if (CPU_ISSET(other, &mine) && core_of(other) == core) return true;
  }
  return false;
}

/// The kernel refuses a CPU outside the control group of this process.
bool may_run_on(int cpu) {
  bool allowed = false;
  std::thread([&] { allowed = stay_on_cpu(cpu); }).join();
  return allowed;
}

}  // namespace

bool stay_on_cpu(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

std::optional<int> spare_cpu() {
  cpu_set_t mine, given;
  if (sched_getaffinity(getpid(), sizeof(mine), &mine) != 0) return std::nullopt;
  if (sched_getaffinity(getppid(), sizeof(given), &given) != 0) return std::nullopt;
  const int cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  for (int cpu = cpus - 1; cpu >= 0; --cpu) {
    const bool free = CPU_ISSET(cpu, &given) && !CPU_ISSET(cpu, &mine);
    if (free && !shares_a_core(cpu, mine, cpus) && may_run_on(cpu)) return cpu;
  }
  return std::nullopt;
}

}  // namespace stepgate
