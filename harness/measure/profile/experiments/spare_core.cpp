#include "measure/profile/experiments/spare_core.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "measure/device/spare_cpu.h"

namespace stepgate {
namespace {

constexpr std::size_t stolen_block_bytes = std::size_t{64} << 20;
constexpr std::size_t stolen_piece_bytes = std::size_t{1} << 20;  ///< between two looks at the flag
constexpr int computed_piece = 100'000;                           ///< multiplications, about as long as a piece

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
  if (stay_on_cpu(cpu)) {
    load == SpareCoreLoad::copies ? copy_without_end(flags) : compute_without_end(flags);
  }
  flags.say_working();
}

}  // namespace

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
