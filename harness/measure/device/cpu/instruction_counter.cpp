#include "measure/device/cpu/instruction_counter.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "system/descriptor.h"

namespace stepgate {
namespace {

/// What read(2) gives for PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING.
struct CounterReadout {
  std::uint64_t value = 0;
  std::uint64_t enabled_ns = 0;
  std::uint64_t running_ns = 0;
};

class PerfEventCounter final : public InstructionCounter {
 public:
  explicit PerfEventCounter(Descriptor counter) : counter_(std::move(counter)) {}

  std::optional<std::int64_t> read() override {
    CounterReadout readout;
    // A pinned counter that lost its place on the processor reads as the end of a file.
    if (::read(counter_.number(), &readout, sizeof readout) != sizeof readout) return std::nullopt;
    if (readout.running_ns < readout.enabled_ns) return std::nullopt;
    return static_cast<std::int64_t>(readout.value);
  }

 private:
  Descriptor counter_;
};

std::string reason_for(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "the kernel does not let this process count instructions: see /proc/sys/kernel/perf_event_paranoid (2 or "
             "less), and in a container its seccomp rules";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
    case ENOSYS:
      return "this machine has no counter of instructions: many virtual machines have none";
    default:
      return fmt::format("the counter of instructions cannot be opened: {}", std::strerror(error));
  }
}

}  // namespace

int open_by_kernel(perf_event_attr& attributes) {
  constexpr pid_t this_thread = 0;
  constexpr int any_cpu = -1;
  constexpr int no_group = -1;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, this_thread, any_cpu, no_group, PERF_FLAG_FD_CLOEXEC));
}

OpenedInstructionCounter open_instruction_counter(const PerfEventOpen& open) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;  // page faults and interrupts depend on the machine's state
  attributes.exclude_hv = 1;
  attributes.pinned = 1;  // never shares a counter by turns, which would turn counts into estimates
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  Descriptor counter(open(attributes));
  if (!counter.is_open()) return reason_for(errno);
  return std::make_unique<PerfEventCounter>(std::move(counter));
}

}  // namespace stepgate
