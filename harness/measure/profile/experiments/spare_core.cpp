#include "measure/profile/experiments/spare_core.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace stepgate {
namespace {

constexpr std::size_t stolen_block_bytes = std::size_t{64} << 20;
constexpr std::size_t stolen_piece_bytes = std::size_t{1} << 20;  ///< between two looks at the flag
constexpr int computed_piece = 100'000;                           ///< multiplications, about as long as a piece

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

struct WorkFlags {
  std::atomic<bool>& working;
  const std::atomic<bool>& stopping;

  bool stop() const { return stopping.load(std::memory_order_relaxed); }
  void say_working() const {
    working = true;
    working.notify_all();
  }
};

void copy_without_end(const WorkFlags& flags) {
  std::vector<char> from(stolen_block_bytes, 1);
  std::vector<char> to(stolen_block_bytes, 2);
  flags.say_working();
  for (std::size_t at = 0; !flags.stop(); at = (at + stolen_piece_bytes) % stolen_block_bytes) {
    std::memcpy(to.data() + at, from.data() + at, stolen_piece_bytes);
  }
}

/// A chain of multiplications, each of which waits for the one before.
void compute_without_end(const WorkFlags& flags) {
  flags.say_working();
  std::uint64_t value = 1;
  while (!flags.stop()) {
    for (int i = 0; i < computed_piece; ++i) value = value * 6364136223846793005U + 1442695040888963407U;
    asm volatile("" : "+r"(value));  // else the compiler leaves the loop out
  }
}

void work_without_end(int cpu, SpareCoreLoad load, const WorkFlags& flags) {
  const cpu_set_t set = only_cpu(cpu);
  if (sched_setaffinity(0, sizeof(set), &set) == 0) {
    load == SpareCoreLoad::copies ? copy_without_end(flags) : compute_without_end(flags);
  }
  flags.say_working();
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

BusySpareCore::BusySpareCore(int cpu, SpareCoreLoad load)
    : thread_([this, cpu, load] {
        work_without_end(cpu, load, {working_, stopping_});
      }) {
  working_.wait(false);
}

BusySpareCore::~BusySpareCore() {
  stopping_ = true;
  thread_.join();
}

}  // namespace stepgate
