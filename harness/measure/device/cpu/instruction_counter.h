// Counts the instructions that the calling thread runs in user space, by the processor's own counter.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

struct perf_event_attr;

namespace stepgate {

class InstructionCounter {
 public:
  virtual ~InstructionCounter() = default;
  /// Instructions since the counter was opened. Absent where the processor did not count all the time, as when another
  /// profiler took its counters.
  virtual std::optional<std::int64_t> read() = 0;

 protected:
  InstructionCounter() = default;
  InstructionCounter(const InstructionCounter&) = default;
  InstructionCounter& operator=(const InstructionCounter&) = default;
};

/// A counter, or why there is none here.
using OpenedInstructionCounter = std::variant<std::unique_ptr<InstructionCounter>, std::string>;

/// A descriptor of the counter of the calling thread, or -1 with errno.
using PerfEventOpen = std::function<int(perf_event_attr&)>;

/// perf_event_open(2) of this kernel.
int open_by_kernel(perf_event_attr& attributes);

OpenedInstructionCounter open_instruction_counter(const PerfEventOpen& open = open_by_kernel);

}  // namespace stepgate
