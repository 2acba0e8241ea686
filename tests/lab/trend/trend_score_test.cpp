#include "lab/trend/trend_score.h"

#include <gtest/gtest.h>

#include "lab/trend/growing_series.h"

namespace stepgate::lab {
namespace {

/// Level 0, and 0.05 from point 50 on, of 100 points.
StepSeries one_step() {
  StepSeries series{std::vector<double>(100, 0.0), std::vector<double>(100, 0.0), {{50, 0.05}}};
  for (std::size_t i = 50; i < 100; ++i) series.levels[i] = 0.05;
  return series;
}

TEST(TrendScore, AChangeThreePointsAwayIsTheStepAndOneFourAwayIsNot) {
  EXPECT_EQ(score_changes(one_step(), {{0, 53, 100, 53, 53}}).matched, 1);
  EXPECT_EQ(score_changes(one_step(), {{0, 54, 100, 54, 54}}).matched, 0);
  EXPECT_EQ(score_changes(one_step(), {{0, 46, 100, 46, 46}}).matched, 0);
}

TEST(TrendScore, AStepIsFoundOnce) {
  const TrendScore score = score_changes(one_step(), {{0, 49, 51, 49, 50}, {49, 51, 100, 51, 51}});
  EXPECT_EQ(score.matched, 1);
  EXPECT_DOUBLE_EQ(score.precision(), 0.5);
  EXPECT_DOUBLE_EQ(score.recall(), 1);
  EXPECT_DOUBLE_EQ(score.f1(), 2.0 / 3);
  EXPECT_EQ(score.ranges_holding, 1);
  EXPECT_EQ(score.range_points, 2);
}

TEST(TrendScore, AChangeWithoutAChangeOfTheTrueLevelIsFalse) {
  EXPECT_TRUE(is_false(one_step(), {0, 20, 40, 20, 20}));
  EXPECT_FALSE(is_false(one_step(), {0, 40, 100, 40, 40}));  // at the wrong place, but the level did change
  EXPECT_DOUBLE_EQ(score_changes(one_step(), {{0, 20, 40, 20, 20}}).false_per_1000_points(), 10);
}

TEST(GrowingSeries, AChangeIsReportedOnceAndOnlyWhenFoundTwice) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 60; ++i) values.push_back((i < 40 ? 0.0 : 0.05) + (i % 2 == 0 ? 0.001 : -0.001));
  const std::vector<Alarm> alarms = alarms_of(values);
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_EQ(alarms[0].change.index, 40U);
  EXPECT_EQ(alarms[0].session, 45U);  // four points make a level; the fifth session finds it again
}

}  // namespace
}  // namespace stepgate::lab
