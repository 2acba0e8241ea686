#include "launch/window_length.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::IsEmpty;

/// A process whose windows of ten steps took this long.
RunRecord with_windows(std::vector<std::int64_t> window_ns) {
  RunRecord record;
  TimedPass pass;
  pass.clock = "steady_clock";
  for (const std::int64_t wall_ns : window_ns) pass.windows.push_back({.wall_ns = wall_ns, .steps = 10});
  record.timed["e2e"] = pass;
  return record;
}

TEST(WindowLength, LeavesLongWindowsAsTheyAre) {
  EXPECT_EQ(lengthened_steps(with_windows({2'000'000, 2'000'000})), std::nullopt);
  EXPECT_EQ(lengthened_steps(with_windows({900'000'000})), std::nullopt);
}

TEST(WindowLength, TakesTheSmallestPowerOfTwoThatReachesTheLeastTime) {
  const auto steps = lengthened_steps(with_windows({50'000, 51'000, 49'000}));  // steps of 5 us
  ASSERT_TRUE(steps);
  EXPECT_EQ(*steps, (NamedSteps{{"e2e", 64 * 60},
                                {"window", 64 * 10},
                                {"phase", 64 * 30},
                                {"synthetic", 64 * 30},
                                {"loader", 64 * 40},
                                {"logging", 64 * 80}}));
}

TEST(WindowLength, SomePercentOfStepTimeFindTheSameCounts) {
  EXPECT_EQ(lengthened_steps(with_windows({48'000})), lengthened_steps(with_windows({52'000})));
}

TEST(WindowLength, ADisturbedWindowDoesNotDecide) {
  EXPECT_EQ(lengthened_steps(with_windows({50'000, 90'000'000, 50'000})), lengthened_steps(with_windows({50'000})));
}

TEST(WindowLength, EndsAtTheHighestFactor) { EXPECT_EQ(lengthened_steps(with_windows({10}))->at("window"), 2560); }

TEST(WindowLength, ObeysCountsThatTheCaseDeclares) {
  RunRecord record = with_windows({50'000});
  record.steps.e2e = 120;
  EXPECT_EQ(lengthened_steps(record), std::nullopt);
  record = with_windows({50'000});
  record.steps.counts = 4;  // of an exact pass
  EXPECT_TRUE(lengthened_steps(record));
}

TEST(WindowLength, NeedsWindowsOnTheHostClock) {
  EXPECT_EQ(lengthened_steps(RunRecord{}), std::nullopt);
  EXPECT_EQ(lengthened_steps(with_windows({})), std::nullopt);
  RunRecord record = with_windows({50'000});
  record.timed["e2e"].clock = "google_benchmark";
  EXPECT_EQ(lengthened_steps(record), std::nullopt);
}

TEST(WindowLength, ComesBackFromTheKeyOfABaseline) {
  EXPECT_EQ(steps_of_baseline("e2e=3840,window=640,phase=1920,synthetic=1920,loader=2560,h2d=7,logging=5120"),
            *lengthened_steps(with_windows({50'000})));
}

TEST(WindowLength, BaselinesWithOtherCountsDecideNothing) {
  EXPECT_THAT(steps_of_baseline("e2e=60,window=10,phase=30,synthetic=30,loader=40,h2d=7,logging=80"), IsEmpty());
  EXPECT_THAT(steps_of_baseline("e2e=20,window=5,phase=6,synthetic=10,loader=40,h2d=7,logging=80"), IsEmpty());
  EXPECT_THAT(steps_of_baseline("e2e=120,window=20,phase=60,teleport=3"), IsEmpty());
  EXPECT_THAT(steps_of_baseline(""), IsEmpty());
}

}  // namespace
}  // namespace stepgate
