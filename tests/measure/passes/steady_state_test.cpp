#include "measure/passes/steady_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

WarmupHistory steady_history() {
  WarmupHistory history{.window = 10, .wall_ns = 1'000'000'000, .steps_since_new_shape = 20, .shapes = 1};
  for (int i = 0; i < 20; ++i) history.paces.push_back({i % 2 == 0 ? 1'000'000 : 1'010'000, 4, 0});
  history.memory = {{1, {}, {}, 100}, {11, {}, {}, 102}, {21, {}, {}, 103}};
  return history;
}

TEST(SteadyState, AcceptsALevelHistory) { EXPECT_THAT(unsteady_reasons(steady_history()), IsEmpty()); }

TEST(SteadyState, NeedsFiveSteps) {
  WarmupHistory history = steady_history();
  history.paces.resize(4);
  EXPECT_THAT(unsteady_reasons(history), testing::Contains(HasSubstr("warm-up ran for 4 steps and 1.00 s")));
}

TEST(SteadyState, NeedsASecondOnADeviceAndAFifthOnACpu) {
  WarmupHistory history = steady_history();
  history.wall_ns = 300'000'000;
  EXPECT_THAT(unsteady_reasons(history), IsEmpty());
  history.device_events = true;
  EXPECT_THAT(unsteady_reasons(history), ElementsAre(HasSubstr("20 steps and 300.0 ms; at least 5 steps and 1.00 s")));
}

TEST(SteadyState, NamesLevelsThatDisagree) {
  WarmupHistory history = steady_history();
  for (std::size_t i = 10; i < 20; ++i) history.paces[i].ns += 50'000;
  EXPECT_THAT(unsteady_reasons(history),
              ElementsAre(testing::AllOf(HasSubstr("per step (+5.0 %"), HasSubstr("tolerance 2.0 %"))));
}

TEST(SteadyState, ScatterWidensTheTolerance) {
  const Agreement quiet = agreement({100, 0.1}, {103, 0.1}, 2);
  EXPECT_FALSE(quiet.holds());
  EXPECT_DOUBLE_EQ(quiet.tolerance, 0.02);
  const Agreement noisy = agreement({100, 3}, {103, 4}, 2);
  EXPECT_TRUE(noisy.holds());
  EXPECT_DOUBLE_EQ(noisy.tolerance, 0.1);
  EXPECT_FALSE(agreement({100, 0.1}, {97, 0.1}, 2).holds());
}

TEST(SteadyState, NamesATrendThatTwoBlocksHide) {
  WarmupHistory history = steady_history();
  // Rises by 5 % over 20 steps, with a scatter that makes the tolerance of the medians wider than their distance.
  for (std::size_t i = 0; i < 20; ++i) {
    history.paces[i].ns = 1'000'000 + 2'800 * static_cast<std::int64_t>(i) + (i % 2 == 0 ? 0 : 40'000);
  }
  EXPECT_THAT(unsteady_reasons(history), ElementsAre(HasSubstr("step times had a trend: +")));
}

TEST(SteadyState, ComparesTimePerTokenWhereLengthsVary) {
  WarmupHistory history = steady_history();
  for (std::size_t i = 0; i < 20; ++i) {
    const std::int64_t tokens = i < 10 ? 100 + static_cast<std::int64_t>(i) : 300;
    history.paces[i] = {tokens * 1000, 4, tokens};
  }
  EXPECT_THAT(unsteady_reasons(history), IsEmpty());
}

TEST(SteadyState, NamesAnAllocatorThatGrew) {
  WarmupHistory history = steady_history();
  history.memory = {{1, 5, 100, {}}, {11, 6, 200, {}}, {21, 7, 300, {}}};
  EXPECT_THAT(unsteady_reasons(history),
              ElementsAre(HasSubstr("6 driver allocations and 200 B reserved at step 11, 7 and 300 B at step 21")));
  history.memory.back() = {21, 6, 200, {}};
  EXPECT_THAT(unsteady_reasons(history), IsEmpty());
}

TEST(SteadyState, ChecksTheAllocatorOverAtLeastFiveSteps) {
  WarmupHistory history = steady_history();
  history.window = 2;
  history.memory = {{15, 5, 100, {}}, {17, 6, 200, {}}, {19, 6, 200, {}}, {21, 6, 200, {}}};
  EXPECT_THAT(unsteady_reasons(history), ElementsAre(HasSubstr("at step 15")));
}

TEST(SteadyState, PageFaultsMayGoOnAtAFlatRate) {
  WarmupHistory history = steady_history();
  history.memory = {{1, {}, {}, 0}, {11, {}, {}, 2500}, {21, {}, {}, 4900}};
  EXPECT_THAT(unsteady_reasons(history), IsEmpty());
  history.memory.back().minor_faults = 4000;
  EXPECT_THAT(unsteady_reasons(history), ElementsAre(HasSubstr("250.0 up to step 11, 150.0 up to step 21")));
}

TEST(SteadyState, UnknownMemoryIsNoReason) {
  WarmupHistory history = steady_history();
  history.memory = {{1, {}, {}, {}}, {21, {}, {}, {}}};
  EXPECT_THAT(unsteady_reasons(history), IsEmpty());
}

TEST(PerWork, PicksTheUnitThatVaries) {
  EXPECT_EQ(per_work(std::vector<Pace>{{10, 2, 5}, {10, 2, 5}}).unit, "step");
  EXPECT_EQ(per_work(std::vector<Pace>{{10, 2, 5}, {10, 4, 5}}).unit, "sample");
  const PerWork tokens = per_work(std::vector<Pace>{{10, 2, 5}, {12, 4, 3}});
  EXPECT_EQ(tokens.unit, "padded token");
  EXPECT_THAT(tokens.ns, ElementsAre(2, 4));
}

TEST(PerWork, DividesByNothingThatIsZero) {
  EXPECT_EQ(per_work(std::vector<Pace>{{10, 2, 0}, {10, 2, 5}}).unit, "step");
}

TEST(Level, MedianAndItsErrorIgnoreSingleOutliers) {
  const std::vector<double> values = {10, 12, 11, 9, 500};
  const Level level = level_of(values);
  EXPECT_DOUBLE_EQ(level.median, 11);
  EXPECT_NEAR(level.standard_error, 1.2533 * 1.4826 * 1 / std::sqrt(5.0), 1e-12);
  EXPECT_DOUBLE_EQ(level_of(std::vector<double>{1, 2, 3, 10}).median, 2.5);
}

TEST(Level, ErrorMatchesTheScatterOfMediansOfNormalValues) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(100, 5);
  double squares = 0;
  double errors = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(41);
    for (double& value : values) value = normal(generator);
    const Level level = level_of(values);
    squares += (level.median - 100) * (level.median - 100) / trials;
    errors += level.standard_error / trials;
  }
  EXPECT_NEAR(errors / std::sqrt(squares), 1, 0.08);
}

TEST(Trend, IsTheTheilSenSlopeOverAllValues) {
  const std::vector<double> rising = {10, 100, 12, 13, 14, 15, 16, 17, 18, 19};
  // Slope 1 for nine values; the outlier cannot move it. 9 over the median of 15.5.
  EXPECT_NEAR(trend(rising).value(), 9 / 15.5, 1e-12);
  const std::vector<double> falling = {18, 17, 16, 15, 14, 13, 12, 11, 10, 9};
  EXPECT_NEAR(trend(falling).value(), -9 / 13.5, 1e-12);
}

TEST(Trend, IsAbsentInLevelAlternatingOrFewValues) {
  EXPECT_FALSE(trend(std::vector<double>(20, 5.0)));
  EXPECT_FALSE(trend(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_FALSE(trend(std::vector<double>{1, 2, 3}));
}

TEST(Trend, IsFoundInAboutOneOfTwentyLevelLoops) {
  std::mt19937_64 generator(2);
  std::normal_distribution<double> normal(100, 1);
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> values(20);
    for (double& value : values) value = normal(generator);
    found += trend(values).has_value();
  }
  EXPECT_NEAR(found, 100, 30);
}

}  // namespace
}  // namespace stepgate
