#include "stats/trend/series_analysis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "stats/trend/difference_noise.h"
#include "stats/trend/level_difference.h"
#include "stats/trend/level_sums.h"
#include "stats/trend/optimal_segments.h"
#include "stats/trend/spike_filter.h"

namespace stepgate {
namespace {

/// One step of about 3 % at point 10 and one spike at point 14. Expected digits: NumPy, SciPy, and ruptures 1.1.10 for
/// the segments.
std::vector<double> twenty_sessions() {
  std::vector<double> logs = {100.2, 99.1,  100.9, 99.7,  100.4, 98.8,  100.1, 99.5,  101.0, 99.9,
                              103.4, 102.6, 104.1, 103.0, 118.0, 103.7, 102.9, 104.4, 103.2, 102.5};
  for (double& value : logs) value = std::log(value);
  return logs;
}

constexpr double expected_noise = 0.00970625914050215;

double expected_penalty() { return change_penalty(expected_noise, 20); }

std::vector<double> constant_then(std::vector<double> last) {
  std::vector<double> values(10, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0.001 : -0.001;
  values.insert(values.end(), last.begin(), last.end());
  return values;
}

std::vector<std::size_t> spikes_of(const std::vector<double>& values, double noise) {
  const FilteredSeries filtered = filter_spikes(values, noise);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (filtered.spike[i]) result.push_back(i);
  }
  return result;
}

TEST(DifferenceNoise, ToTheLastDigit) { EXPECT_NEAR(difference_noise(twenty_sessions(), 0), expected_noise, 1e-16); }

TEST(DifferenceNoise, IsAtLeastTheResolutionOfTheTimer) {
  EXPECT_EQ(difference_noise(twenty_sessions(), 0.02), 0.02);
  EXPECT_EQ(difference_noise(std::vector<double>(5, 1.0), 0), least_noise);
  EXPECT_EQ(difference_noise(std::vector<double>{1.0}, 0), least_noise);
}

TEST(SpikeFilter, ReplacesTheSpikeByTheMedianOfItsNeighbours) {
  const FilteredSeries filtered = filter_spikes(twenty_sessions(), expected_noise);
  EXPECT_EQ(spikes_of(twenty_sessions(), expected_noise), std::vector<std::size_t>{14});
  EXPECT_NEAR(std::exp(filtered.values[14]), 103.349407, 5e-7);
  EXPECT_EQ(filtered.values[13], std::log(103.0));
}

TEST(SpikeFilter, TheBeginningOfANewLevelIsNoSpike) {
  EXPECT_TRUE(spikes_of(constant_then({0.1, 0.101, 0.099, 0.1}), 0.001).empty());
}

TEST(SpikeFilter, ANewLevelNeedsTwoPoints) {
  EXPECT_EQ(spikes_of(constant_then({0.1}), 0.001), std::vector<std::size_t>{10});
  EXPECT_EQ(spikes_of(constant_then({0.1, 0.101}), 0.001), std::vector<std::size_t>{10});  // no run begins with it yet
  EXPECT_TRUE(spikes_of(constant_then({0.1, 0.101, 0.1}), 0.001).empty());
}

TEST(OptimalSegments, WithoutTheFilterTheSpikeIsALevel) {
  EXPECT_EQ(optimal_changes(twenty_sessions(), expected_penalty()), (std::vector<std::size_t>{10, 14, 15}));
}

TEST(SeriesAnalysis, SmallCaseToItsDigits) {
  const SeriesAnalysis analysis = analyse_series(twenty_sessions(), {});
  EXPECT_NEAR(analysis.noise, expected_noise, 1e-16);
  EXPECT_NEAR(expected_penalty(), 8.46696992e-4, 5e-13);
  ASSERT_EQ(analysis.changes.size(), 1U);
  EXPECT_EQ(analysis.changes[0].index, 10U);
  ASSERT_EQ(analysis.segments.size(), 2U);
  EXPECT_NEAR(std::exp(analysis.segments[0].level), 99.9577, 5e-5);
  EXPECT_NEAR(std::exp(analysis.segments[1].level), 103.3133, 5e-5);
  EXPECT_NEAR(std::expm1(analysis.changes[0].log_change), 0.03357, 5e-6);
  EXPECT_EQ(analysis.segments[0].end, 10U);
  EXPECT_EQ(analysis.segments[1].end, 20U);
  EXPECT_TRUE(analysis.spike[14]);
}

TEST(SeriesAnalysis, TheTestOfTheSmallCaseToItsDigits) {
  const FilteredSeries filtered = filter_spikes(twenty_sessions(), expected_noise);
  const LevelSums before = level_sums(filtered.values, 0, 10);
  const LevelSums after = level_sums(filtered.values, 10, 20);
  const LevelDifference plain = level_difference({10, before.mean, before.squares}, {10, after.mean, after.squares}, 0);
  EXPECT_NEAR(plain.change / plain.standard_error, 11.2172, 5e-5);
  EXPECT_EQ(plain.degrees_of_freedom, 18);
  EXPECT_NEAR(plain.p_value(), 1.483e-9, 5e-13);
}

TEST(SeriesAnalysis, AnUnclearPlaceIsARange) {
  // Point 10 is half-way between the levels: either side may have it.
  const SeriesAnalysis unclear = analyse_series(
      constant_then({0.05, 0.101, 0.099, 0.101, 0.099, 0.101, 0.099, 0.101, 0.099}), {.noise_floor = 0.03});
  ASSERT_EQ(unclear.changes.size(), 1U);
  EXPECT_EQ(unclear.changes[0].earliest, 10U);
  EXPECT_EQ(unclear.changes[0].latest, 11U);
  const SeriesAnalysis clear = analyse_series(
      constant_then({0.1, 0.101, 0.099, 0.101, 0.099, 0.101, 0.099, 0.101, 0.099}), {.noise_floor = 0.03});
  ASSERT_EQ(clear.changes.size(), 1U);
  EXPECT_EQ(clear.changes[0].earliest, 10U);
  EXPECT_EQ(clear.changes[0].latest, 10U);
}

TEST(SeriesAnalysis, AShortOrConstantSeriesIsOneLevel) {
  EXPECT_EQ(analyse_series({3.0}, {}).segments.size(), 1U);
  EXPECT_EQ(analyse_series({3.0, 3.1}, {}).segments.size(), 1U);
  EXPECT_EQ(analyse_series(std::vector<double>(50, 3.0), {}).segments.size(), 1U);
  EXPECT_THROW(analyse_series({}, {}), std::domain_error);
  EXPECT_THROW(analyse_series({1.0, std::numeric_limits<double>::infinity()}, {}), std::domain_error);
}

TEST(SeriesAnalysis, AStepOfAConstantSeriesIsFound) {
  std::vector<double> values(30, 5.0);
  for (std::size_t i = 15; i < values.size(); ++i) values[i] = 5.03;
  const SeriesAnalysis analysis = analyse_series(values, {});
  ASSERT_EQ(analysis.changes.size(), 1U);
  EXPECT_EQ(analysis.changes[0].index, 15U);
  EXPECT_NEAR(analysis.changes[0].log_change, 0.03, 1e-12);
}

}  // namespace
}  // namespace stepgate
