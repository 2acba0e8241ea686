// Which block of a caching allocator an address is part of.
#pragma once

#include <cstdint>
#include <map>

namespace stepgate::emulator {

/// An allocator that keeps memory hands the same addresses out again, and no call of CUDA tells so. Each block has a
/// number, so that two accesses tell whether their memory was one tensor's. Calls come one at a time.
class ReusedBlocks {
 public:
  void hand_out(const void* address, std::uint64_t bytes);
  /// 0 where no block is known.
  std::uint64_t number_at(const void* address) const;

 private:
  struct Block {
    std::uintptr_t end = 0;
    std::uint64_t number = 0;
  };

  std::map<std::uintptr_t, Block> blocks_;
  std::uint64_t handed_out_ = 0;
};

}  // namespace stepgate::emulator
