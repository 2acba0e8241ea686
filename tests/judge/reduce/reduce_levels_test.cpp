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

/// Steps that every process is followed over, and those that are followed where a chunk may have come.
constexpr std::size_t always_followed = 18;
constexpr std::size_t followed = 48;
constexpr std::int64_t least_chunk = 65'536;

LevelGrowth chunks_from(const std::vector<std::int64_t>& rises) {
  return growth_in_chunks(levels_of(rises), {.least = least_chunk, .begin_within = always_followed});
}

/// `height` in each of these steps.
std::vector<std::int64_t> at_steps(const std::vector<std::size_t>& steps, std::int64_t height) {
  std::vector<std::int64_t> rises(followed, 0);
  for (const std::size_t step : steps) rises[step] = height;
  return rises;
}

TEST(GrowthInChunks, AMebibyteEachSixteenStepsIsFoundInEveryPhase) {
  for (std::size_t first = 0; first < 16; ++first) {
    const LevelGrowth growth = chunks_from(in_chunks(followed, first, 16, mib));
    EXPECT_EQ(growth.per_step, 65'536) << first;
    EXPECT_EQ(growth.noise, 0) << first;
    EXPECT_EQ(growth.rises, 3) << first;
    EXPECT_TRUE(growth.repeated) << first;
    EXPECT_EQ(whole_growth(growth, heap_floor), 65'536) << first;
  }
}

TEST(GrowthInChunks, EveryPeriodOfThreeToSixteenStepsIsFoundInEveryPhase) {
  for (std::size_t period = 3; period <= 16; ++period) {
    for (std::size_t first = 0; first < period; ++first)
      EXPECT_GT(chunks_from(in_chunks(followed, first, period, mib)).per_step, 0) << period << ", " << first;
  }
  EXPECT_GT(chunks_from(in_chunks(followed, 13, 17, mib)).per_step, 0);
  EXPECT_EQ(chunks_from(in_chunks(followed, 14, 17, mib)).per_step, 0) << "two only";
}

TEST(GrowthInChunks, ARiseInEachSecondStepIsNoChunk) {
  EXPECT_EQ(chunks_from(in_chunks(followed, 0, 1, mib)).per_step, 0) << "the slope shows it";
  EXPECT_EQ(chunks_from(in_chunks(followed, 0, 2, mib)).per_step, 0);
}

TEST(GrowthInChunks, OneRiseOrTwoAreACache) {
  for (std::size_t first = 0; first < followed; ++first) {
    EXPECT_EQ(chunks_from(at_steps({first}, mib)).per_step, 0) << first;
    for (std::size_t second = first + 1; second < followed; ++second)
      EXPECT_EQ(chunks_from(at_steps({first, second}, mib)).per_step, 0) << first << ", " << second;
  }
}

TEST(GrowthInChunks, WhatEndsInTheFirstThirdIsACacheThatFilled) {
  for (std::size_t first = 0; first < 16; ++first) {
    for (std::size_t second = first + 1; second < 16; ++second) {
      for (std::size_t third = second + 1; third < 16; ++third)
        EXPECT_EQ(chunks_from(at_steps({first, second, third}, mib)).per_step, 0) << first << ", " << second;
    }
  }
  EXPECT_EQ(chunks_from(at_steps({4, 8, 12, 16, 20, 24, 28}, mib)).per_step, 0) << "later, in short steps";
}

TEST(GrowthInChunks, AContainerThatDoublesHasNone) {
  std::vector<std::int64_t> doubling = at_steps({}, 0);
  doubling[2] = mib / 4;
  doubling[5] = mib / 2;
  doubling[11] = mib;
  EXPECT_EQ(chunks_from(doubling).per_step, 0) << "a plateau";
  doubling[23] = 2 * mib;
  doubling[47] = 4 * mib;
  EXPECT_EQ(chunks_from(doubling).per_step, 0) << "of gaps that every process is followed over there are two only";
}

TEST(GrowthInChunks, WhatIsGivenBackIsNoChunk) {
  std::vector<std::int64_t> rises = in_chunks(followed, 3, 16, mib);
  for (std::size_t step = 10; step < followed; step += 16) rises[step] = -mib;
  EXPECT_EQ(chunks_from(rises).per_step, 0);
}

TEST(GrowthInChunks, StepsThatFollowAnotherRiseShowNoGrowthByThemselves) {
  // The rise in step 6 alone is why a process is followed. Another one that grows likewise, without it, is not.
  std::vector<std::int64_t> rises = at_steps({19, 33, 47}, mib);
  rises[6] = 40 * mib;
  EXPECT_EQ(chunks_from(rises).per_step, 0);
  rises[10] = mib;
  EXPECT_NEAR(chunks_from(rises).per_step, 4.0 * mib / followed, 1) << "without the 40 MiB, which came once";
}

TEST(GrowthInChunks, ABufferBesideRareRisesIsNoChunk) {
  // Rises in steps 25 and 45 are seen only because of the one in step 10.
  EXPECT_EQ(chunks_from(at_steps({10, 25, 45}, 300'000)).per_step, 0);
}

TEST(GrowthInChunks, WhoWasNotFollowedHasNone) {
  std::vector<std::int64_t> rises(always_followed, 0);
  for (const std::size_t step : {3U, 8U, 13U}) rises[step] = 100'000;  // of two ranks, neither of which is followed
  const ChunkLimits limits{.least = least_chunk, .begin_within = always_followed, .fewest_steps = followed};
  EXPECT_EQ(growth_in_chunks(levels_of(rises), limits).per_step, 0);
  EXPECT_GT(growth_in_chunks(levels_of(rises), {.least = least_chunk, .begin_within = always_followed}).per_step, 0);
}

TEST(GrowthInChunks, ChunksAreSeenAboveWhatTheOtherStepsAdd) {
  std::vector<std::int64_t> rises = in_chunks(followed, 7, 8, 393'216);
  for (std::size_t step = 0; step < followed; ++step) rises[step] += unchanged_heap[step % unchanged_heap.size()];
  const LevelGrowth growth = chunks_from(rises);
  EXPECT_NEAR(growth.per_step, 49'152, 1'024);
  EXPECT_LT(growth.noise, 512);
}

TEST(GrowthInChunks, AnUnchangedHeapHasNone) {
  std::vector<std::int64_t> rises;
  for (std::size_t step = 0; step < followed; ++step) rises.push_back(unchanged_heap[step % unchanged_heap.size()]);
  EXPECT_EQ(chunks_from(rises).per_step, 0);
  EXPECT_EQ(chunks_from(rises).noise, 0);
  // Of language/char_lm_unbucketed/tiny, whose batches differ in length.
  rises[13] = 33'280;
  rises[27] = 33'152;
  rises[37] = 32'704;
  EXPECT_EQ(chunks_from(rises).per_step, 0);
}

TEST(GrowthInChunks, StepsThatWereNotFollowedFurtherShowNone) {
  for (std::size_t first = 0; first < 16; ++first)
    EXPECT_EQ(chunks_from(in_chunks(always_followed, first, 16, mib)).per_step, 0) << first;
}

}  // namespace
}  // namespace stepgate
