#include "emulator/cupti/cupti_timestamps.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t ticks_of_today = 1'700'000'000'123'456'789;

TEST(CuptiTimestamps, KeepDurations) {
  const TickMap map({.machine_ns = 0, .ticks = ticks_of_today, .real_ns = 50}, 1.0);
  EXPECT_EQ(map.ticks_of(0), ticks_of_today);
  EXPECT_EQ(map.ticks_of(12'345) - map.ticks_of(2'345), 10'000U);
}

TEST(CuptiTimestamps, ReachBackBeforeTheirBegin) {
  const TickMap map({.machine_ns = 1'000, .ticks = ticks_of_today, .real_ns = 0}, 1.0);
  EXPECT_EQ(map.ticks_of(400), ticks_of_today - 600);
}

TEST(CuptiTimestamps, CountTicksOfTheProcessor) {
  const TickMap map({.machine_ns = 0, .ticks = 1'000, .real_ns = 0}, 2.5);
  EXPECT_EQ(map.ticks_of(1'000), 3'500U);
}

TEST(CuptiTimestamps, FollowTheReadersClockWhereVirtualTimeIsBehind) {
  TickMap map({.machine_ns = 0, .ticks = 1'000, .real_ns = 0}, 1.0);
  map.move_forward({.machine_ns = 4'000, .ticks = 1'001'000, .real_ns = 1'000'000});
  EXPECT_EQ(map.ticks_of(4'000), 1'001'000U);
  EXPECT_EQ(map.ticks_of(5'000), 1'002'000U);
}

TEST(CuptiTimestamps, NeverGoBackWhereVirtualTimeIsAhead) {
  TickMap map({.machine_ns = 0, .ticks = 1'000, .real_ns = 0}, 1.0);
  const std::uint64_t before = map.ticks_of(9'000'000);
  map.move_forward({.machine_ns = 9'000'000, .ticks = 2'000, .real_ns = 1'000});
  EXPECT_EQ(map.ticks_of(9'000'000), before);
}

TEST(CuptiTimestamps, LearnTheRateFromALongStretch) {
  TickMap map({.machine_ns = 0, .ticks = 0, .real_ns = 0}, 2.0);
  map.move_forward({.machine_ns = 10'000'000, .ticks = 30'000'000, .real_ns = 10'000'000});
  EXPECT_DOUBLE_EQ(map.rate(), 3.0);
}

TEST(CuptiTimestamps, DoNotLearnFromAShortStretch) {
  TickMap map({.machine_ns = 0, .ticks = 0, .real_ns = 0}, 2.0);
  map.move_forward({.machine_ns = 1'000, .ticks = 9'000, .real_ns = 1'000});
  EXPECT_DOUBLE_EQ(map.rate(), 2.0);
}

TEST(CuptiTimestamps, MeasureAClockThatStandsStillForAWhile) {
  std::uint64_t asked = 0;
  const auto coarse_ticks = [&asked] { return ++asked / 100'000; };
  const TickMap map = measured_map(coarse_ticks, [] { return std::int64_t{5}; });
  EXPECT_GT(map.rate(), 0.0);
  EXPECT_GT(map.ticks_of(5), 0U);
}

}  // namespace
}  // namespace stepgate::emulator
