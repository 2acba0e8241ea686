// CPU time of this process and of all that it started, beside that of one thread.
#pragma once

#include <cstdint>

namespace stepgate {

struct ProcessCpu {
  /// All threads of this process, those that ended too, and its descendants. A process whose parent has ended is no
  /// descendant any more: the launcher sees it (launch/process/left_behind.h).
  std::int64_t tree_ns = 0;
  std::int64_t thread_ns = 0;  ///< the calling thread
};

/// Makes four system calls, and reads files below /proc where this process has children. Never call it in a timed
/// window.
ProcessCpu read_process_cpu();

/// CPU time that everything but the calling thread used between two readings of this thread; never negative.
std::int64_t background_ns(const ProcessCpu& before, const ProcessCpu& after);

}  // namespace stepgate
