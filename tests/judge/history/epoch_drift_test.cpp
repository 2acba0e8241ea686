#include "judge/history/epoch_drift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

/// Levels 0, 7 %, 0 and 3 % of 20, 20, 20 and 40 points, whose two changes for the worse have this state.
class SteppedEpoch {
 public:
  explicit SteppedEpoch(ChangeState state) {
    analysis_.segments = {{0, 20, 0}, {20, 40, 0.07}, {40, 60, 0}, {60, 100, 0.03}};
    for (const Segment& level : analysis_.segments) {
      for (std::size_t i = level.begin; i < level.end; ++i)
        analysis_.filtered.push_back(level.level + 0.001 * std::sin(static_cast<double>(i * i + 1)));
    }
    epoch_.points.resize(100);
    epoch_.changes = {{.index = 20, .change = std::expm1(0.07), .worse = true, .state = state},
                      {.index = 40, .change = std::expm1(-0.07)},
                      {.index = 60, .change = std::expm1(0.03), .worse = true, .state = state}};
  }

  std::optional<HistoryDrift> drift(std::size_t first_point = 0) const {
    return drift_of({.report = report_,
                     .series = series_,
                     .epoch = epoch_,
                     .measured = {analysis_.filtered},
                     .analysis = analysis_,
                     .first_point = first_point});
  }

 private:
  HistoryReport report_;
  HistorySeries series_;
  HistoryEpoch epoch_;
  SeriesAnalysis analysis_{.noise = 0.001, .spike = {}, .segments = {}, .changes = {}};
};

TEST(EpochDrift, ListsTheStepsSinceTheLevelWasLastBack) {
  const auto drift = SteppedEpoch(ChangeState::waiting).drift();
  ASSERT_TRUE(drift.has_value());
  EXPECT_LT(drift->found, 40U);
  EXPECT_THAT(drift->steps, testing::ElementsAre(2U));
}

TEST(EpochDrift, IsNoneWhereAlertsExplainIt) {
  EXPECT_FALSE(SteppedEpoch(ChangeState::alert).drift().has_value());
  EXPECT_TRUE(SteppedEpoch(ChangeState::repeated).drift().has_value());
}

TEST(EpochDrift, IsMeasuredFromTheAcknowledgedLevelOn) {
  const auto drift = SteppedEpoch(ChangeState::waiting).drift(20);
  ASSERT_TRUE(drift.has_value());
  EXPECT_GE(drift->since, 40U);
  EXPECT_NEAR(drift->change_now, 0.03, 0.002);
  EXPECT_FALSE(SteppedEpoch(ChangeState::waiting).drift(60).has_value());
}

}  // namespace
}  // namespace stepgate
