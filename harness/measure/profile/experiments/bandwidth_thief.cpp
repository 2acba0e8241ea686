#include "measure/profile/experiments/bandwidth_thief.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace stepgate {
namespace {

constexpr std::size_t stolen_block_bytes = std::size_t{64} << 20;
constexpr std::size_t stolen_piece_bytes = std::size_t{1} << 20;  ///< between two looks at the flag

cpu_set_t only_cpu(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return set;
}

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
  std::thread([&] {
    const cpu_set_t set = only_cpu(cpu);
    allowed = sched_setaffinity(0, sizeof(set), &set) == 0;
  }).join();
  return allowed;
}

struct CopyFlags {
  std::atomic<bool>& copying;
  const std::atomic<bool>& stopping;
};

void copy_without_end(int cpu, const CopyFlags& flags) {
  const cpu_set_t set = only_cpu(cpu);
  if (sched_setaffinity(0, sizeof(set), &set) == 0) {
    std::vector<char> from(stolen_block_bytes, 1);
    std::vector<char> to(stolen_block_bytes, 2);
    flags.copying = true;
    flags.copying.notify_all();
    for (std::size_t at = 0; !flags.stopping.load(std::memory_order_relaxed);
         at = (at + stolen_piece_bytes) % stolen_block_bytes) {
      std::memcpy(to.data() + at, from.data() + at, stolen_piece_bytes);
    }
  }
  flags.copying = true;
  flags.copying.notify_all();
}

}  // namespace

std::optional<int> spare_cpu() {
  cpu_set_t mine;
  if (sched_getaffinity(getpid(), sizeof(mine), &mine) != 0) return std::nullopt;
  const int cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  for (int cpu = cpus - 1; cpu >= 0; --cpu) {
    if (!CPU_ISSET(cpu, &mine) && !shares_a_core(cpu, mine, cpus) && may_run_on(cpu)) return cpu;
  }
  return std::nullopt;
}

BandwidthThief::BandwidthThief(int cpu) : thread_([this, cpu] { copy_without_end(cpu, {copying_, stopping_}); }) {
  copying_.wait(false);
}

BandwidthThief::~BandwidthThief() {
  stopping_ = true;
  thread_.join();
}

}  // namespace stepgate
