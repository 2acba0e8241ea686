#include "emulator/nccl/nccl_buffers.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace stepgate::emulator {
namespace {

/// Blocks of 100 bytes beside each other.
class NcclBuffers : public testing::Test {
 protected:
  void add(std::size_t place, MemoryKind kind, int device, bool has_access = true) {
    blocks_.push_back({.address = at(100 * place),
                       .bytes = 100,
                       .asked_bytes = 100,
                       .device = device,
                       .kind = kind,
                       .has_access = has_access});
  }
  std::byte* at(std::size_t offset) { return memory_.data() + offset; }
  bool reaches(std::size_t offset, std::uint64_t bytes, int device = 0) {
    return is_reachable([this](const void* address) { return block_of(address); }, {at(offset), bytes}, device);
  }

 private:
  std::optional<MemoryBlock> block_of(const void* address) const {
    for (const MemoryBlock& block : blocks_) {
      const auto* const begin = static_cast<const std::byte*>(block.address);
      if (address >= begin && address < begin + block.bytes) return block;
    }
    return std::nullopt;
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>(400);
  std::vector<MemoryBlock> blocks_;
};

TEST_F(NcclBuffers, HaveEachOfTheirBytesInABlock) {
  add(0, MemoryKind::device, 0);
  EXPECT_TRUE(reaches(0, 100));
  EXPECT_TRUE(reaches(40, 60));
  EXPECT_FALSE(reaches(40, 61)) << "one byte behind the block";
  EXPECT_FALSE(reaches(200, 1)) << "pageable memory of the host";
}

TEST_F(NcclBuffers, AreOfTheRanksDevice) {
  add(0, MemoryKind::device, 1);
  EXPECT_FALSE(reaches(0, 1, 0));
  EXPECT_TRUE(reaches(0, 1, 1));
}

TEST_F(NcclBuffers, MayBeMemoryThatEachDeviceReaches) {
  add(0, MemoryKind::managed, 1);
  add(1, MemoryKind::pinned, 1);
  add(2, MemoryKind::registered, 1);
  EXPECT_TRUE(reaches(0, 300, 0));
}

TEST_F(NcclBuffers, GoOnInTheNextPieceOfAMappedRange) {
  add(0, MemoryKind::mapped, 0);
  add(1, MemoryKind::mapped, 0);
  add(2, MemoryKind::mapped, 1);
  EXPECT_TRUE(reaches(50, 150));
  EXPECT_FALSE(reaches(50, 151)) << "the last byte is another device's";
}

TEST_F(NcclBuffers, AMappedPieceThatNoDeviceMayUseIsNotReached) {
  add(0, MemoryKind::mapped, 0);
  add(1, MemoryKind::mapped, 0, false);
  EXPECT_TRUE(reaches(0, 100));
  EXPECT_FALSE(reaches(0, 101));
  EXPECT_FALSE(reaches(100, 1));
}

}  // namespace
}  // namespace stepgate::emulator
