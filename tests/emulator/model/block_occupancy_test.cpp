#include "emulator/model/block_occupancy.h"

#include <gtest/gtest.h>

#include <string_view>

namespace stepgate::emulator {
namespace {

const DeviceModel& model(std::string_view key) { return *find_device_model(key); }

TEST(BlockOccupancy, FollowsFromThreads) {
  EXPECT_EQ(blocks_on_multiprocessor(model("h100"), 1024, 0), 2);
  EXPECT_EQ(blocks_on_multiprocessor(model("h100"), 128, 0), 16);
  EXPECT_EQ(blocks_on_multiprocessor(model("l4"), 512, 0), 3);
  EXPECT_EQ(blocks_on_multiprocessor(model("t4"), 1024, 0), 1);
}

TEST(BlockOccupancy, CountsWholeWarps) { EXPECT_EQ(blocks_on_multiprocessor(model("a100"), 65, 0), 21); }

TEST(BlockOccupancy, EndsAtTheLimitOfBlocks) {
  EXPECT_EQ(blocks_on_multiprocessor(model("h100"), 1, 0), 32);
  EXPECT_EQ(blocks_on_multiprocessor(model("l4"), 1, 0), 24);
  EXPECT_EQ(blocks_on_multiprocessor(model("t4"), 1, 0), 16);
}

TEST(BlockOccupancy, FollowsFromSharedMemoryAndWhatIsReserved) {
  // 233472 / (116736 - 1024 + 1024) = 2, and one byte more leaves room for one block.
  EXPECT_EQ(blocks_on_multiprocessor(model("h100"), 128, 116'736 - 1024), 2);
  EXPECT_EQ(blocks_on_multiprocessor(model("h100"), 128, 116'736 - 1024 + 1), 1);
  EXPECT_EQ(blocks_on_multiprocessor(model("t4"), 128, 65'536), 1);
}

TEST(BlockOccupancy, IsZeroForABlockThatDoesNotFit) {
  EXPECT_EQ(blocks_on_multiprocessor(model("h100"), 1025, 0), 0);
  EXPECT_EQ(blocks_on_multiprocessor(model("h100"), 0, 0), 0);
  EXPECT_EQ(blocks_on_multiprocessor(model("a100"), 128, 166'913), 0);
}

TEST(CodeCapability, IsTheNewestThatTheLibrariesHaveForTheDevice) {
  EXPECT_EQ(code_capability(model("h100")), 90);
  EXPECT_EQ(code_capability(model("a100")), 80);
  EXPECT_EQ(code_capability(model("l4")), 86);
  EXPECT_EQ(code_capability(model("t4")), 75);
}

}  // namespace
}  // namespace stepgate::emulator
