#include "stats/trend/slot_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "stats/trend/drawn_series.h"
#include "stats/trend/series_analysis.h"

namespace stepgate {
namespace {

/// Two slots of three points, 2 % apart, without any noise within.
const std::vector<double> two_levels = {0, 0, 0, 0.02, 0.02, 0.02};
const std::vector<std::size_t> two_slots = {7, 7, 7, 3, 3, 3};

/// Half of the squared difference with the weight of 1, and the prior of 1 % with that of 4.
constexpr double slot_variance = (4 * 1e-4 + 0.02 * 0.02 / 2) / 5;

TEST(SlotNoise, ASlotIsSharedWhereItHasTwoPoints) {
  EXPECT_FALSE(SlotNoise(two_levels, {}).is_shared(0, 6));
  const std::vector<std::size_t> own_slots = {1, 2, 3, 4, 5, 6};
  EXPECT_FALSE(SlotNoise(two_levels, own_slots).is_shared(0, 6));
  const SlotNoise noise(two_levels, two_slots);
  EXPECT_TRUE(noise.is_shared(0, 6));
  EXPECT_TRUE(noise.is_shared(1, 4));
  EXPECT_FALSE(noise.is_shared(2, 4));
  const std::vector<std::size_t> short_slots = {1, 1};
  EXPECT_THROW(SlotNoise(two_levels, short_slots), std::domain_error);
}

TEST(SlotNoise, ByHand) {
  const SlotNoise noise(two_levels, two_slots);
  EXPECT_NEAR(noise.variance_of_mean(0, 6), slot_variance * (9 + 9) / 36, 1e-11);
  EXPECT_NEAR(noise.variance_of_mean(0, 2), slot_variance, 1e-11);
  const LevelPrefixes prefixes(two_levels, two_slots);
  // Of the slot on the border two points lie on the left and one on the right, which cancels as far.
  const LevelDifference difference = noise.difference(prefixes.sums(0, 2), prefixes.sums(2, 6));
  EXPECT_NEAR(difference.standard_error, std::sqrt(slot_variance * (1 + 10.0 / 16 - 2.0 * 2 / 8)), 1e-9);
  EXPECT_NEAR(difference.degrees_of_freedom, 5, 1e-3);
}

TEST(LevelPrefixes, EqualTheSumsOfThePoints) {
  const std::vector<double> values = {3.1, 3.4, 2.9, 7.2, 7.5, 7.1, 7.7, 7.3};
  const LevelSums direct = level_sums(values, 2, 7);
  const LevelSums prefixed = LevelPrefixes(values).sums(2, 7);
  EXPECT_NEAR(prefixed.mean, direct.mean, 1e-13);
  EXPECT_NEAR(prefixed.squares, direct.squares, 1e-12);
  EXPECT_NEAR(prefixed.products, direct.products, 1e-12);
  EXPECT_NEAR(prefixed.pair_sums, direct.pair_sums, 1e-12);
  EXPECT_EQ(prefixed.pairs, 4);
  EXPECT_THROW(LevelPrefixes(values).sums(3, 3), std::domain_error);
}

TEST(LevelPrefixes, NeighboursOfOneSlotSayNothingAboutTheirDependence) {
  const LevelSums sums = LevelPrefixes(two_levels, two_slots).sums(0, 6);
  EXPECT_EQ(sums.pairs, 1);
  EXPECT_NEAR(sums.products, -0.01 * 0.01, 1e-12);
}

/// 40 commits, six in half an hour.
std::vector<std::size_t> slots_of_six() {
  std::vector<std::size_t> slots;
  for (std::size_t i = 0; i < 40; ++i) slots.push_back(i / 6);
  return slots;
}

std::vector<double> burst(double step, double slot_deviation, std::uint64_t seed) {
  const std::vector<double> of_slots = drawn_noise(7, slot_deviation, seed + 1000);
  return drawn_around(40, 0.003, seed, [&](std::size_t i) { return of_slots[i / 6] + (i < 20 ? 0 : step); });
}

TEST(SlotNoise, AStepWithinABurstIsFound) {
  const SeriesAnalysis analysis = analyse_series(burst(std::log(1.1), 0.004, 21), {}, slots_of_six());
  ASSERT_FALSE(analysis.alarms.empty());
  EXPECT_EQ(analysis.alarms.front().index, 20U);
  EXPECT_GT(analysis.alarms.front().log_change, 0.08);
}

TEST(SlotNoise, WhatSlotsShareIsNoChange) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    found += analyse_series(burst(0, 0.015, seed), {}, slots_of_six()).alarms.size();
  EXPECT_LE(found, 1U) << "of 100 bursts whose slots differ by 1.5 %";
}

}  // namespace
}  // namespace stepgate
