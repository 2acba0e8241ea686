#include <gtest/gtest.h>

#include <cmath>

#include "stats/trend/series_analysis.h"

namespace stepgate {
namespace {

constexpr std::size_t points_a_level = 25;

/// Confirmed levels of 25 points each.
SeriesAnalysis levels_at(const std::vector<double>& levels, double spread = 0.001) {
  SeriesAnalysis analysis{spread, {}, {}, {}};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    analysis.segments.push_back({i * points_a_level, (i + 1) * points_a_level, levels[i], spread * spread});
  }
  return analysis;
}

TEST(Creep, SmallStepsAddUp) {
  const SeriesAnalysis analysis = levels_at({1.0, 1.012, 1.026});
  const auto creep = find_creep(analysis, 0, 0.02);
  ASSERT_TRUE(creep.has_value());
  EXPECT_EQ(creep->since_segment, 0U);
  EXPECT_NEAR(creep->log_change, 0.026, 1e-12);
  // t(.95, 48) = 1.677224: scipy.stats.t.ppf
  EXPECT_NEAR(creep->lower_bound, 0.026 - 1.677224 * 0.001 * std::sqrt(2.0 / 25), 1e-9);
  EXPECT_FALSE(find_creep(analysis, 0, 0.03).has_value());
}

TEST(Creep, IsMeasuredFromTheLowestLevelAndNotFromTheFirst) {
  const auto creep = find_creep(levels_at({1.0, 0.97, 0.985, 1.0}), 0, 0.02);
  ASSERT_TRUE(creep.has_value());
  EXPECT_EQ(creep->since_segment, 1U);
  EXPECT_FALSE(find_creep(levels_at({1.03, 1.02, 1.0}), 0, 0.02).has_value());
}

TEST(Creep, LevelsBeforeAnAcknowledgedChangeDoNotCount) {
  const SeriesAnalysis analysis = levels_at({1.0, 1.03, 1.04});
  EXPECT_TRUE(find_creep(analysis, 0, 0.02).has_value());
  EXPECT_FALSE(find_creep(analysis, 25, 0.02).has_value());
  EXPECT_FALSE(find_creep(analysis, 500, 0.02).has_value());
}

TEST(Creep, AnAcknowledgedChangeThatMovedByAFewPointsStaysAcknowledged) {
  const SeriesAnalysis analysis = levels_at({1.0, 1.03, 1.04});
  EXPECT_FALSE(find_creep(analysis, 22, 0.02).has_value());                     // found earlier then than now
  EXPECT_FALSE(find_creep(levels_at({1.0, 1.03}), 28, 0.02).has_value());       // and later
  EXPECT_TRUE(find_creep(levels_at({1.0, 1.01, 1.04}), 28, 0.02).has_value());  // the level at 25 still counts
}

TEST(Creep, ShortLevelsAreNone) {
  SeriesAnalysis analysis = levels_at({1.0, 1.012, 1.026});
  analysis.segments[2].end = 60;
  EXPECT_TRUE(find_creep(analysis, 0, 0.02).has_value());
  analysis.segments[2].end = 59;
  EXPECT_FALSE(find_creep(analysis, 0, 0.02).has_value());
  SeriesAnalysis short_low = levels_at({1.0, 0.96, 1.01});
  short_low.segments[1].begin = 41;
  EXPECT_FALSE(find_creep(short_low, 0, 0.02).has_value());
}

TEST(Creep, AnUncertainDifferenceIsNone) {
  EXPECT_FALSE(find_creep(levels_at({1.0, 1.022}, 0.01), 0, 0.02).has_value());
  SeriesAnalysis dependent = levels_at({1.0, 1.026}, 0.008);
  EXPECT_TRUE(find_creep(dependent, 0, 0.02).has_value());
  dependent.autocorrelation = 0.8;
  EXPECT_FALSE(find_creep(dependent, 0, 0.02).has_value());
}

}  // namespace
}  // namespace stepgate
