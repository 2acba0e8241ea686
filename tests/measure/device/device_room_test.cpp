#include "measure/device/device_room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr std::int64_t gib = std::int64_t{1} << 30;

TEST(DeviceRoom, WhatIsFreeIsEnough) {
  EXPECT_FALSE(no_room_for(0, {.free_bytes = 0, .total_bytes = 16 * gib}));
  EXPECT_FALSE(no_room_for(15 * gib, {.free_bytes = 15 * gib, .total_bytes = 16 * gib}));
  EXPECT_TRUE(no_room_for(15 * gib + 1, {.free_bytes = 15 * gib, .total_bytes = 16 * gib}));
}

TEST(DeviceRoom, AGpuThatIsTooSmallIsToldWithBothFigures) {
  const auto none = no_room_for(43 * gib / 2, {.free_bytes = 15 * gib, .total_bytes = 16 * gib});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->reason, "needs about 21.5 GiB of GPU memory, and this GPU has 16.0 GiB");
  EXPECT_THAT(none->remedy, HasSubstr("a GPU with more memory"));
  EXPECT_THAT(none->remedy, HasSubstr("--vary NAME=VALUE"));
  EXPECT_THAT(none->remedy, HasSubstr("--stepgate_param=NAME=VALUE"));
}

TEST(DeviceRoom, MemoryThatOthersHoldIsToldApart) {
  const auto none = no_room_for(12 * gib, {.free_bytes = 7 * gib / 2, .total_bytes = 16 * gib});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->reason, "needs about 12.0 GiB of GPU memory, and 3.5 GiB of 16.0 GiB are free");
  EXPECT_EQ(none->remedy, "end the processes that hold the rest (nvidia-smi lists them)");
}

}  // namespace
}  // namespace stepgate
