// The pool of one device that asynchronous allocations come from.
#pragma once

#include <cstdint>
#include <map>

#include "emulator/memory/device_memory.h"

namespace stepgate::emulator {

/// Sizes of a pool are multiples of it (own choice: what CUDA aligns allocations to).
inline constexpr std::uint64_t pool_alignment_bytes = 512;
/// The device gives a pool memory in pieces of it. Own choice; the driver's is not documented.
inline constexpr std::uint64_t pool_piece_bytes = 32ULL << 20U;

struct PoolUse {
  std::uint64_t used_bytes = 0;
  std::uint64_t used_high_bytes = 0;
  std::uint64_t reserved_bytes = 0;
  std::uint64_t reserved_high_bytes = 0;
};

/// Each block has an address of its own; the pool decides only what the device counts as taken. Calls come one at a
/// time.
class MemoryPool {
 public:
  MemoryPool(DeviceMemory& memory, int device) : memory_(memory), device_(device) {}
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  Allocated allocate(std::uint64_t bytes);
  /// Counts the block as free at once. release_block() then takes its address away, in the order of the stream.
  Outcome free(void* address);
  void release_block(void* address);

  /// Gives what is above `kept_bytes` and not in use back to the device.
  void trim_to(std::uint64_t kept_bytes);
  const PoolUse& use() const { return use_; }
  void reset_high_marks();
  bool owns(const void* address) const;

  std::uint64_t release_threshold_bytes = 0;  ///< a synchronisation trims to it

 private:
  DeviceMemory& memory_;
  int device_;
  PoolUse use_;
  struct Block {
    std::uint64_t bytes = 0;
    bool is_free = false;
  };
  std::map<std::uintptr_t, Block> blocks_;
};

}  // namespace stepgate::emulator
