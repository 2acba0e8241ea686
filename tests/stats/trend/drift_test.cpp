#include "stats/trend/drift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "stats/trend/drawn_series.h"

namespace stepgate {
namespace {

constexpr double quiet_deviation = 0.005;

bool is_found(const std::vector<double>& values) { return first_drift({values}, 0, {}).has_value(); }

double ramp(std::size_t i, double slope) { return slope * static_cast<double>(i); }

TEST(Drift, ARampIsFoundHoweverSteepItIs) {
  for (const double slope : {0.002, 0.005, 0.01, 0.02}) {
    const auto values = drawn_around(60, quiet_deviation, 5, [&](std::size_t i) { return ramp(i, slope); });
    const auto drift = first_drift({values}, 0, {});
    ASSERT_TRUE(drift.has_value()) << slope;
    EXPECT_LE(static_cast<double>(drift->found), std::max(24.0, 0.05 / slope + 20)) << slope;
    EXPECT_GT(drift->lower_bound, std::log1p(0.01)) << slope;
  }
}

TEST(Drift, StairsAreFound) {
  for (const double deviation : {quiet_deviation, 0.02}) {
    const auto values = drawn_around(60, deviation, 5, [](std::size_t i) { return 0.02 * static_cast<double>(i / 5); });
    ASSERT_TRUE(first_drift({values}, 0, {}).has_value()) << deviation;
  }
}

TEST(Drift, AnUnchangedSeriesIsNone) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) found += is_found(drawn_noise(200, 0.01, seed));
  EXPECT_LE(found, 6U) << "of 200 series of 200 points; 8 would be 0.2 for 1 000 points";
}

TEST(Drift, WhatWasFoundStaysAsTheSeriesGrows) {
  auto values =
      drawn_around(120, 0.01, 9, [](std::size_t i) { return i < 30 ? 0.0 : std::min(0.06, ramp(i - 30, 0.002)); });
  const auto whole = first_drift({values}, 0, {});
  ASSERT_TRUE(whole.has_value());
  for (std::size_t count = whole->found; count <= values.size(); ++count) {
    const auto part = first_drift({std::span<const double>(values).first(count)}, 0, {});
    ASSERT_TRUE(part.has_value()) << count;
    EXPECT_EQ(part->found, whole->found) << count;
    EXPECT_EQ(part->since, whole->since) << count;
  }
  EXPECT_FALSE(first_drift({std::span<const double>(values).first(whole->found - 1)}, 0, {}).has_value());
}

/// Ramps with spikes, of which some are at the end when the drift is found, and a noise that grows after it.
std::vector<double> ramp_before_noise(std::uint64_t seed) {
  auto values = drawn_around(60, 0.008, seed, [](std::size_t i) { return i < 20 ? 0.0 : ramp(i - 20, 0.002); });
  const auto later = drawn_noise(60, 0.06, seed + 1000);
  for (std::size_t i = seed % 7; i < values.size(); i += 7) values[i] += i % 2 == 0 ? 0.06 : -0.06;
  values.insert(values.end(), later.begin(), later.end());
  return values;
}

TEST(Drift, NeitherNoiseNorSpikesToComeTakeItBack) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::vector<double> values = ramp_before_noise(seed);
    std::optional<std::size_t> first;
    for (std::size_t count = 40; count <= values.size(); ++count) {
      const auto part = first_drift({std::span<const double>(values).first(count)}, 0, {});
      if (part && !first) first = part->found;
      ASSERT_EQ(part ? std::optional(part->found) : std::nullopt, first) << "seed " << seed << ", points " << count;
    }
    found += first.has_value();
  }
  EXPECT_GT(found, 20U) << "or the test shows little";
}

TEST(Drift, ItStaysAlsoWhereTheLevelComesBack) {
  const auto values =
      drawn_around(120, quiet_deviation, 3, [](std::size_t i) { return i >= 40 && i < 70 ? 0.06 : 0.0; });
  const auto drift = first_drift({values}, 0, {});
  ASSERT_TRUE(drift.has_value());
  EXPECT_LT(drift->found, 70U);
  EXPECT_NEAR(drift->log_change_now, 0, 0.01);
}

TEST(Drift, IsMeasuredFromTheLowestStretchAndFromTheAcknowledgedLevel) {
  const auto values = drawn_around(120, 0.003, 4, [](std::size_t i) { return i < 40 ? 0.05 : i < 80 ? 0.0 : 0.05; });
  const auto drift = first_drift({values}, 0, {});
  ASSERT_TRUE(drift.has_value());
  EXPECT_GE(drift->since, 40U);
  EXPECT_GE(drift->found, 80U);
  EXPECT_FALSE(first_drift({values}, 80, {}).has_value());
  EXPECT_FALSE(first_drift({values}, 500, {}).has_value());
}

TEST(Drift, TwoSpikesSideBySideAreNone) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    auto values = drawn_noise(60, 0.005, seed);
    values[45] += 0.25;
    values[46] += 0.2;
    EXPECT_FALSE(is_found(values)) << seed;
    std::fill(values.begin() + 47, values.begin() + 55, 0.2);
    EXPECT_TRUE(is_found(values)) << "ten of them are a level, seed " << seed;
  }
}

TEST(Drift, AMoveWithinTheIgnoreMarginIsNone) {
  const auto values = drawn_around(200, 0.001, 6, [](std::size_t i) { return std::min(0.009, ramp(i, 0.0001)); });
  EXPECT_FALSE(first_drift({values}, 0, {}).has_value());
}

TEST(Drift, ASlopeDoesNotWidenTheError) {
  const double flat = long_run_variance(drawn_noise(500, 0.01, 8));
  const double steep = long_run_variance(drawn_around(500, 0.01, 8, [](std::size_t i) { return ramp(i, 0.02); }));
  EXPECT_NEAR(flat, 1e-4, 4e-5);
  EXPECT_NEAR(steep, flat, 0.01 * flat);
}

TEST(Drift, DependentNeighboursWidenTheError) {
  std::vector<double> values = drawn_noise(4000, 0.01, 10);
  for (std::size_t i = 1; i < values.size(); ++i) values[i] = 0.5 * values[i - 1] + std::sqrt(0.75) * values[i];
  EXPECT_NEAR(long_run_variance(values), 3e-4, 9e-5);  // (1 + .5) / (1 - .5) times the variance
}

}  // namespace
}  // namespace stepgate
