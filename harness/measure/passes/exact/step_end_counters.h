// What the memory pass reads of the process at each step's end. A new counter is a row in step_end_counters.cpp and one
// in the catalogue, core/catalogue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "core/record/run_record.h"
#include "measure/device/backend.h"

namespace stepgate {

/// A value, or why there is none.
using CounterReading = std::variant<std::int64_t, std::string>;

/// What malloc holds except the tensors of a CPU case, which have a counter of their own (resident_bytes). On a GPU no
/// other counter sees tensors in host memory, so they stay in.
CounterReading read_host_heap(Backend& backend);

/// Reads all of them around each step. Never inside a timed window: reading takes locks and microseconds.
class StepEndCounters {
 public:
  explicit StepEndCounters(Backend& backend) : backend_(backend) {}
  void begin_step();
  /// Once batch and loss are released. Adds one value a counter to `profile.series`, or why there is none to
  /// `profile.absent`.
  void end_step(MemoryProfile& profile);

 private:
  Backend& backend_;
  std::map<std::string, std::int64_t> at_begin_;  ///< counters that rise from the process's start
};

/// A heap's statistics and the functions that should change them.
struct HeapProbe {
  std::function<std::int64_t()> in_use;
  std::function<void*(std::size_t)> allocate;
  std::function<void(void*)> release;
};

/// Whether `in_use` rises by at least its size with a small and with a large block, and falls again when it is freed.
bool follows_malloc(const HeapProbe& probe);

/// Whether glibc's statistics of its heap mean anything here: not where another malloc serves the process (jemalloc,
/// tcmalloc, a sanitizer). Asked once a process.
bool glibc_serves_malloc();

/// File name of the library whose malloc this process calls.
std::string malloc_library();

}  // namespace stepgate
