#include "emulator/hazards/reused_blocks.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

const void* block_at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

TEST(ReusedBlocks, EachBlockHasANumberOfItsOwn) {
  ReusedBlocks blocks;
  EXPECT_EQ(blocks.number_at(block_at(100)), 0U);
  blocks.hand_out(block_at(100), 50);
  blocks.hand_out(block_at(200), 50);
  EXPECT_EQ(blocks.number_at(block_at(100)), 1U);
  EXPECT_EQ(blocks.number_at(block_at(149)), 1U);
  EXPECT_EQ(blocks.number_at(block_at(150)), 0U);
  EXPECT_EQ(blocks.number_at(block_at(249)), 2U);
}

TEST(ReusedBlocks, ANewBlockEndsThoseThatItOverlaps) {
  ReusedBlocks blocks;
  blocks.hand_out(block_at(100), 50);
  blocks.hand_out(block_at(150), 50);
  blocks.hand_out(block_at(140), 20);
  EXPECT_EQ(blocks.number_at(block_at(100)), 0U);
  EXPECT_EQ(blocks.number_at(block_at(145)), 3U);
  EXPECT_EQ(blocks.number_at(block_at(170)), 0U);
}

}  // namespace
}  // namespace stepgate::emulator
