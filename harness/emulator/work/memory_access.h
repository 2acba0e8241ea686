// A stretch of memory that work reads or writes.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate::emulator {

struct MemoryAccess {
  const void* begin = nullptr;
  std::uint64_t bytes = 0;
  bool writes = false;  ///< else it reads
  /// The work leaves out parts of the stretch, such as every second column: two such accesses need not meet.
  bool has_gaps = false;
};

using MemoryAccesses = std::vector<MemoryAccess>;

}  // namespace stepgate::emulator
