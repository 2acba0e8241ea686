#include "judge/reduce/reduce_levels.h"

#include <gtest/gtest.h>

#include <vector>

namespace stepgate {
namespace {

constexpr std::int64_t heap_floor = 16'384;
constexpr std::int64_t mib = 1024 * 1024;

/// Levels from what each step adds.
std::vector<std::int64_t> levels_of(const std::vector<std::int64_t>& rises) {
  std::vector<std::int64_t> levels{80'000'000};
  for (const std::int64_t rise : rises) levels.push_back(levels.back() + rise);
  return levels;
}

LevelGrowth growth_from(const std::vector<std::int64_t>& rises, std::int64_t floor = heap_floor) {
  return growth_of_levels(levels_of(rises), floor);
}

/// A rise of `height` in step `first` and in every `period`-th step after it.
std::vector<std::int64_t> in_chunks(std::size_t steps, std::size_t first, std::size_t period, std::int64_t height) {
  std::vector<std::int64_t> rises(steps, 0);
  for (std::size_t step = first; step < steps; step += period) rises[step] = height;
  return rises;
}

/// The host heap of vision/photo_decode/tiny, whose steps keep nothing.
const std::vector<std::int64_t> unchanged_heap = {3680, 512, 1088, -48, 1168, 0, 0, -80, 336, 0, 0};

TEST(GrowthOfLevels, TwelveThousandBytesAStepAreSeenBelowTheFloor) {
  const LevelGrowth growth =
      growth_from({12'500, 11'400, 12'900, 11'600, 12'000, 12'300, 11'800, 11'500, 12'600, 11'900, 12'200});
  EXPECT_NEAR(growth.per_step, 12'000, 200);
  EXPECT_LT(growth.noise, 1'000);
  EXPECT_GT(growth.noise, 0);
  EXPECT_TRUE(growth.in_every_step);
  EXPECT_EQ(growth.rises, 11);
  EXPECT_EQ(whole_growth(growth, heap_floor), 0) << "with nothing to compare with it is below the floor";
}

TEST(GrowthOfLevels, AMebibyteEachSixteenStepsGrows) {
  // The slope of 48 levels; of 20 levels with two rises the median slope is 0.
  EXPECT_NEAR(growth_from(in_chunks(47, 5, 16, mib)).per_step, 65'536, 10'000);
  const LevelGrowth twice = growth_from(in_chunks(19, 1, 16, mib));
  EXPECT_NEAR(twice.per_step, 2.0 * mib / 19, 1);
  EXPECT_TRUE(twice.repeated);
  EXPECT_EQ(twice.rises, 2);
  EXPECT_GT(whole_growth(twice, heap_floor), heap_floor);
}

TEST(GrowthOfLevels, SmallChunksHaveTheNoiseOfWhatLiesBetweenThem) {
  const LevelGrowth growth = growth_from(in_chunks(47, 5, 16, 65'536));
  EXPECT_NEAR(growth.per_step, 3 * 65'536.0 / 47, 1);
  EXPECT_EQ(growth.noise, 0);
}

TEST(GrowthOfLevels, ChunksGrowBesideARiseThatCameOnce) {
  std::vector<std::int64_t> rises = in_chunks(19, 1, 16, mib);
  rises[9] = 40 * mib;
  EXPECT_NEAR(growth_from(rises).per_step, 2.5 * mib / 19, 0.5 * mib / 19);
  EXPECT_EQ(growth_from(rises).one_off, 40 * mib);
}

TEST(GrowthOfLevels, OneRiseIsNoGrowth) {
  for (std::size_t step = 0; step < 11; ++step) {
    std::vector<std::int64_t> rises(11, 0);
    rises[step] = mib;
    const LevelGrowth growth = growth_from(rises);
    EXPECT_EQ(growth.per_step, 0) << step;
    EXPECT_EQ(growth.one_off, mib) << step;
    EXPECT_FALSE(growth.repeated) << step;
    EXPECT_EQ(whole_growth(growth, heap_floor), 0) << step;
  }
}

TEST(GrowthOfLevels, RisesThatEndAreACacheThatFills) {
  EXPECT_EQ(growth_from({mib, mib, 0, 0, 0, 0, 0, 0, 0, 0, 0}).per_step, 0);
  EXPECT_EQ(growth_from({0, 0, 0, 0, 0, 0, 0, 0, 0, mib, mib}).per_step, 0) << "or begins to";
}

TEST(GrowthOfLevels, WhatIsGivenBackDoesNotGrow) {
  std::vector<std::int64_t> up_and_down;
  for (int step = 0; step < 11; ++step) up_and_down.push_back(step % 2 == 0 ? mib : -mib);
  EXPECT_FALSE(growth_from(up_and_down).repeated);
  EXPECT_EQ(whole_growth(growth_from(up_and_down), heap_floor), 0);
  EXPECT_EQ(growth_from({mib, mib, mib, -3 * mib}).per_step, 0);
}

TEST(GrowthOfLevels, AProcessWhoseStepsKeepNothingIsWithinTheResolution) {
  const LevelGrowth growth = growth_from(unchanged_heap);
  EXPECT_LT(growth.per_step, 1'024);
  EXPECT_FALSE(growth.in_every_step);
}

TEST(GrowthOfLevels, ACountThatRisesInEveryFourthStepGrows) {
  const LevelGrowth growth = growth_from(in_chunks(11, 2, 4, 1), 0);
  EXPECT_LT(growth.per_step, 0.5);
  EXPECT_EQ(whole_growth(growth, 0), 1);
  EXPECT_EQ(whole_growth(growth_from(in_chunks(11, 2, 4, 1), 1), 1), 1)
      << "a floor of one thing a step does not hide it";
  EXPECT_EQ(whole_growth(growth_from(in_chunks(11, 0, 10, 1), 1), 1), 1) << "the least that 12 steps show";
  EXPECT_EQ(whole_growth(growth_from(in_chunks(11, 5, 16, 1), 1), 1), 0) << "one rise";
}

}  // namespace
}  // namespace stepgate
