#include "emulator/memory/memory_pool.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

class MemoryPoolTest : public testing::Test {
 protected:
  DeviceMemory memory_{{context_bytes + 3 * pool_piece_bytes}};
  MemoryPool pool_{memory_, 0};
};

TEST_F(MemoryPoolTest, TakesPiecesOfTheDevice) {
  ASSERT_EQ(pool_.allocate(1).outcome, Outcome::ok);
  EXPECT_EQ(pool_.use().used_bytes, pool_alignment_bytes);
  EXPECT_EQ(pool_.use().reserved_bytes, pool_piece_bytes);
  EXPECT_EQ(memory_.info(0).free_bytes, 2 * pool_piece_bytes);
  ASSERT_EQ(pool_.allocate(pool_piece_bytes).outcome, Outcome::ok);
  EXPECT_EQ(pool_.use().reserved_bytes, 2 * pool_piece_bytes);
}

TEST_F(MemoryPoolTest, FreedMemoryStaysUntilItIsTrimmed) {
  void* address = pool_.allocate(2 * pool_piece_bytes).address;
  ASSERT_NE(address, nullptr);
  EXPECT_EQ(pool_.free(address), Outcome::ok);
  EXPECT_EQ(pool_.free(address), Outcome::invalid_value);
  pool_.release_block(address);
  EXPECT_EQ(pool_.use().used_bytes, 0U);
  EXPECT_EQ(pool_.use().reserved_bytes, 2 * pool_piece_bytes);
  EXPECT_EQ(pool_.use().used_high_bytes, 2 * pool_piece_bytes);
  ASSERT_NE(pool_.allocate(pool_piece_bytes).address, nullptr);
  EXPECT_EQ(memory_.info(0).free_bytes, pool_piece_bytes) << "the pool's own memory is used again";
  pool_.trim_to(0);
  EXPECT_EQ(pool_.use().reserved_bytes, pool_piece_bytes) << "what is in use stays";
  EXPECT_EQ(pool_.use().reserved_high_bytes, 2 * pool_piece_bytes);
  pool_.reset_high_marks();
  EXPECT_EQ(pool_.use().reserved_high_bytes, pool_piece_bytes);
  EXPECT_EQ(pool_.use().used_high_bytes, pool_piece_bytes);
}

TEST_F(MemoryPoolTest, KeepsWhatItIsToldToKeep) {
  void* address = pool_.allocate(2 * pool_piece_bytes).address;
  ASSERT_EQ(pool_.free(address), Outcome::ok);
  pool_.trim_to(pool_piece_bytes);
  EXPECT_EQ(pool_.use().reserved_bytes, pool_piece_bytes);
  pool_.trim_to(3 * pool_piece_bytes);
  EXPECT_EQ(pool_.use().reserved_bytes, pool_piece_bytes) << "it never grows by it";
}

TEST_F(MemoryPoolTest, TheDevicesLimitHolds) {
  EXPECT_EQ(pool_.allocate(3 * pool_piece_bytes + 1).outcome, Outcome::out_of_memory);
  EXPECT_EQ(pool_.use().reserved_bytes, 0U);
  EXPECT_EQ(pool_.allocate(3 * pool_piece_bytes).outcome, Outcome::ok);
}

TEST_F(MemoryPoolTest, ItsBlocksAreFound) {
  char* address = static_cast<char*>(pool_.allocate(1000).address);
  ASSERT_NE(memory_.find(address + 999), nullptr);
  EXPECT_EQ(memory_.find(address)->kind, MemoryKind::pooled);
  EXPECT_TRUE(is_device_side(memory_.find(address)));
  EXPECT_TRUE(pool_.owns(address));
  EXPECT_FALSE(pool_.owns(address + 512));
  pool_.free(address);
  EXPECT_FALSE(pool_.owns(address));
  pool_.release_block(address);
  EXPECT_EQ(memory_.find(address), nullptr);
  EXPECT_EQ(pool_.free(address), Outcome::invalid_value);
}

}  // namespace
}  // namespace stepgate::emulator
