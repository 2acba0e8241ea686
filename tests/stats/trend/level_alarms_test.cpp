#include "stats/trend/level_alarms.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stats/trend/drawn_series.h"
#include "stats/trend/series_analysis.h"

namespace stepgate {
namespace {

std::vector<LevelAlarm> alarms_in(const std::vector<double>& values) { return analyse_series(values, {}).alarms; }

double alternating(std::size_t i) { return i % 2 == 0 ? 0.001 : -0.001; }

TEST(LevelAlarms, AChangeIsAnAlarmOnceTwoAnalysesFoundIt) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 60; ++i) values.push_back((i < 40 ? 0.0 : 0.05) + alternating(i));
  const std::vector<LevelAlarm> alarms = alarms_in(values);
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_EQ(alarms[0].index, 40U);
  EXPECT_EQ(alarms[0].begin, 0U);
  EXPECT_EQ(alarms[0].found, 45U);  // four points make a level; the fifth finds it again
  EXPECT_NEAR(alarms[0].log_change, 0.05, 0.002);
}

TEST(LevelAlarms, AnAlarmStaysWhereTheLevelComesBack) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 100; ++i) values.push_back((i >= 40 && i < 50 ? 0.05 : 0.0) + alternating(i));
  const std::vector<LevelAlarm> alarms = alarms_in(values);
  ASSERT_EQ(alarms.size(), 2U);
  EXPECT_GT(alarms[0].log_change, 0);
  EXPECT_LT(alarms[1].log_change, 0);
}

TEST(LevelAlarms, PointsToComeTakeNoneBack) {
  const auto level = [](std::size_t i) { return i < 50 ? 0.0 : i < 90 ? 0.04 : i < 100 ? 0.1 : 0.03; };
  const std::vector<double> values = drawn_around(160, 0.004, 12, level);
  const std::vector<LevelAlarm> all = alarms_in(values);
  ASSERT_GE(all.size(), 3U);
  for (std::size_t count = 60; count < values.size(); ++count) {
    for (const LevelAlarm& alarm : alarms_in({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)})) {
      const bool kept = std::any_of(all.begin(), all.end(), [&](const LevelAlarm& other) {
        return std::max(other.index, alarm.index) - std::min(other.index, alarm.index) <= 5 &&
               (other.log_change > 0) == (alarm.log_change > 0);
      });
      EXPECT_TRUE(kept) << alarm.index << " of " << count;
    }
  }
}

TEST(LevelAlarms, NoiseToComeTakesNoneBack) {
  struct Noise {
    double before;
    double after;
    double step;  ///< of the points 40 to 47
  };
  constexpr std::size_t quiet_points = 60;
  for (const Noise& noise : {Noise{0.003, 0.03, 0.02}, Noise{0.014, 0.002, 0.08}}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      std::vector<double> values = drawn_noise(200, 1, seed);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] *= i < quiet_points ? noise.before : noise.after;
        values[i] += i >= 40 && i < 48 ? noise.step : 0;
      }
      for (const std::size_t count : {quiet_points, std::size_t{90}, std::size_t{130}, values.size()}) {
        const auto alarms = alarms_in({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)});
        const bool found = std::any_of(alarms.begin(), alarms.end(), [](const LevelAlarm& alarm) {
          return alarm.log_change > 0 && alarm.index >= 35 && alarm.index <= 45;
        });
        EXPECT_TRUE(found) << "seed " << seed << ", noise " << noise.after << ", points " << count;
      }
    }
  }
}

}  // namespace
}  // namespace stepgate
