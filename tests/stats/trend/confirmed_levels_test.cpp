#include "stats/trend/confirmed_levels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace stepgate {
namespace {

/// A level of alternating points around `mean`.
struct Stretch {
  std::size_t count;
  double mean;
};

constexpr double quiet_spread = 0.001;

std::vector<double> alternating(const std::vector<Stretch>& stretches, double spread) {
  std::vector<double> values;
  for (const Stretch& stretch : stretches) {
    for (std::size_t i = 0; i < stretch.count; ++i) values.push_back(stretch.mean + (i % 2 == 0 ? spread : -spread));
  }
  return values;
}

/// First points of the levels that stay, where each stretch begins as a level of its own.
std::vector<std::size_t> confirmed_begins(const std::vector<Stretch>& stretches, double spread = quiet_spread) {
  std::vector<std::size_t> changes;
  std::size_t begin = 0;
  for (const Stretch& stretch : stretches) {
    if (begin > 0) changes.push_back(begin);
    begin += stretch.count;
  }
  std::vector<std::size_t> begins;
  for (const LevelSums& level : confirmed_levels(alternating(stretches, spread), changes, {})) {
    begins.push_back(level.begin);
  }
  return begins;
}

using Begins = std::vector<std::size_t>;

TEST(LevelSums, JoinedEqualThoseOfAllPoints) {
  const std::vector<double> values = {3.1, 3.4, 2.9, 7.2, 7.5, 7.1, 7.7, 7.3};
  const LevelSums joined = join_levels(level_sums(values, 0, 3), level_sums(values, 3, 8));
  const LevelSums direct = level_sums(values, 0, 8);
  EXPECT_NEAR(joined.mean, direct.mean, 1e-14);
  EXPECT_NEAR(joined.squares, direct.squares, 1e-12);
  EXPECT_NEAR(joined.products, direct.products, 1e-12);
  EXPECT_EQ(joined.first, 3.1);
  EXPECT_EQ(joined.last, 7.3);
  EXPECT_EQ(joined.end, 8U);
  EXPECT_THROW(level_sums(values, 3, 3), std::domain_error);
}

TEST(LevelSums, AutocorrelationByHand) {
  // Residuals 1 1 -1 -1 | -2 2: products 1 - 1 + 1, across 2, then -4; squares 4 + 8; two levels over six points.
  const std::vector<double> values = {1, 1, -1, -1, 8, 12};
  const std::vector<LevelSums> levels = {level_sums(values, 0, 4), level_sums(values, 4, 6)};
  EXPECT_NEAR(residual_autocorrelation(levels), -1.0 / 12 + 2.0 / 6, 1e-14);
  EXPECT_EQ(residual_autocorrelation(std::vector<LevelSums>{levels[1]}), 0);  // -0.5 + 0.5
  EXPECT_EQ(residual_autocorrelation(std::vector<LevelSums>{level_sums(std::vector<double>(4, 1.0), 0, 4)}), 0);
}

TEST(LevelDifference, AutocorrelationWidensTheErrorAndTakesDegreesOfFreedom) {
  // rho = 0.5: g = 3. Standard error sqrt(0.04 / 18 * 3 * (1/10 + 1/10)), 18 / 3 degrees of freedom.
  const LevelDifference difference = level_difference({10, 1.0, 0.02}, {10, 1.5, 0.02}, 0.5);
  EXPECT_NEAR(difference.standard_error, std::sqrt(0.04 / 18 * 3 * 0.2), 1e-15);
  EXPECT_NEAR(difference.degrees_of_freedom, 6, 1e-12);
  EXPECT_EQ(level_difference({4, 0, 1}, {4, 1, 1}, 0.9).degrees_of_freedom, 1);
}

TEST(ConfirmedLevels, ALevelNeedsFourPoints) {
  EXPECT_EQ(confirmed_begins({{20, 0}, {3, 0.1}}), Begins{0});
  EXPECT_EQ(confirmed_begins({{20, 0}, {4, 0.1}}), (Begins{0, 20}));
  EXPECT_EQ(confirmed_begins({{3, 0.1}, {20, 0}}), Begins{0});
}

TEST(ConfirmedLevels, AShortLevelJoinsTheCloserOne) {
  EXPECT_EQ(confirmed_begins({{10, 0}, {2, 0.08}, {10, 0.1}}), (Begins{0, 10}));
  EXPECT_EQ(confirmed_begins({{10, 0}, {2, 0.02}, {10, 0.1}}), (Begins{0, 12}));
}

TEST(ConfirmedLevels, AChangeWithinTheIgnoreMarginIsDeleted) {
  EXPECT_EQ(confirmed_begins({{30, 0}, {30, 0.0098}}), Begins{0});
  EXPECT_EQ(confirmed_begins({{30, 0}, {30, 0.0101}}), (Begins{0, 30}));
  EXPECT_EQ(confirmed_begins({{30, 0}, {30, -0.0098}}), Begins{0});
}

TEST(ConfirmedLevels, AChangeThatChanceExplainsIsDeleted) {
  // t = 0.02 / (0.01 sqrt(n / (n - 1)) sqrt(2 / n)): 3.7 at 8 + 8 points (p = .002), 6.2 at 20 + 20 (p = 3e-7).
  EXPECT_EQ(confirmed_begins({{8, 0}, {8, 0.02}}, 0.01), Begins{0});
  EXPECT_EQ(confirmed_begins({{20, 0}, {20, 0.02}}, 0.01), (Begins{0, 20}));
}

TEST(ConfirmedLevels, NeighboursThatResembleEachOtherExplainAChange) {
  // The same levels and the same spread as above, but the points move in runs of five.
  std::vector<double> values;
  for (std::size_t i = 0; i < 40; ++i) values.push_back((i < 20 ? 0 : 0.02) + (i / 5 % 2 == 0 ? 0.01 : -0.01));
  EXPECT_EQ(confirmed_levels(values, {20}, {}).size(), 1U);
}

TEST(ConfirmedLevels, TheLessSignificantChangeGoesFirst) {
  // Both changes of the short middle have p above the limit; joined to the level that it resembles, the other holds.
  EXPECT_EQ(confirmed_begins({{30, 0}, {4, 0.012}, {30, 0.04}}, 0.012), (Begins{0, 34}));
  EXPECT_EQ(confirmed_begins({{30, 0}, {4, 0.028}, {30, 0.04}}, 0.012), (Begins{0, 30}));
}

TEST(ConfirmedLevels, TheSmallerChangeWithinTheMarginGoesFirst) {
  // 0.9 % and 0.75 %: the smaller goes, and the other, now 1.5 %, holds.
  EXPECT_EQ(confirmed_begins({{20, 0}, {4, 0.009}, {20, 0.0165}}), (Begins{0, 20}));
  EXPECT_EQ(confirmed_begins({{20, 0}, {4, 0.0075}, {20, 0.0165}}), (Begins{0, 24}));
}

TEST(ConfirmedLevels, ADeletedChangeLeavesItsNeighboursToBeAskedAnew) {
  // Up by 10 % for three points and back: no change is left, also none between the halves of the same level.
  EXPECT_EQ(confirmed_begins({{20, 0}, {3, 0.1}, {20, 0}}, 0.02), Begins{0});
}

}  // namespace
}  // namespace stepgate
