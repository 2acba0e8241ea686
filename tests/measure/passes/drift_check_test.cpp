#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "measure/passes/timed_passes.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A pass of windows of ten steps with the given step times.
TimedPass pass_of(const std::vector<std::int64_t>& walls, bool device = false) {
  TimedPass pass;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    if (i % 10 == 0) pass.windows.push_back({0, static_cast<std::int64_t>(i), 10, false});
    pass.windows.back().wall_ns += walls[i];
    StepSample step;
    step.wall_ns = device ? 28 : walls[i];  // on a device the host time is only enqueue time
    if (device) step.device_ns = BoundaryTimes{};
    step.samples = 4;
    pass.steps.push_back(step);
  }
  return pass;
}

Warmup rechecked(const TimedPass& pass) {
  Warmup warmup{.first_step_ns = 1, .steps = 21, .steady = true, .reasons = {}};
  recheck_steady(pass, warmup);
  return warmup;
}

std::vector<std::int64_t> two_levels(std::int64_t first, std::int64_t second) {
  std::vector<std::int64_t> walls(60, first);
  std::fill(walls.begin() + 30, walls.end(), second);
  for (std::size_t i = 0; i < walls.size(); ++i) walls[i] += static_cast<std::int64_t>(i % 3) * 1000;
  return walls;
}

TEST(DriftCheck, LeavesALevelPassSteady) {
  const Warmup warmup = rechecked(pass_of(two_levels(1'000'000, 1'015'000)));
  EXPECT_TRUE(warmup.steady);
  EXPECT_THAT(warmup.reasons, IsEmpty());
}

TEST(DriftCheck, NamesHalvesThatDisagree) {
  const Warmup warmup = rechecked(pass_of(two_levels(1'000'000, 1'040'000)));
  EXPECT_FALSE(warmup.steady);
  EXPECT_THAT(warmup.reasons, ElementsAre(AllOf(HasSubstr("drifted during the timed steps: "), HasSubstr("per step"),
                                                HasSubstr("(+4.0 %, tolerance 2.0 %)"))));
  EXPECT_FALSE(rechecked(pass_of(two_levels(1'040'000, 1'000'000))).steady);
}

TEST(DriftCheck, UsesWindowsAlsoWhereOnlySomeRecordEvents) {
  TimedPass pass = pass_of(two_levels(1'000'000, 1'040'000), true);
  for (std::size_t i = 10; i < pass.steps.size(); ++i) pass.steps[i].device_ns.reset();
  EXPECT_FALSE(rechecked(pass).steady);
}

TEST(DriftCheck, UsesWindowsWhereTheHostOnlyQueues) {
  EXPECT_FALSE(rechecked(pass_of(two_levels(1'000'000, 1'040'000), true)).steady);
  EXPECT_TRUE(rechecked(pass_of(two_levels(1'000'000, 1'010'000), true)).steady);
}

TEST(DriftCheck, FindsASteadyDrift) {
  std::vector<std::int64_t> walls;
  for (std::int64_t i = 0; i < 60; ++i) walls.push_back(1'000'000 + 2'000 * i);
  EXPECT_FALSE(rechecked(pass_of(walls)).steady);
}

TEST(DriftCheck, ToleratesWhatTheScatterOfTheStepsExplains) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal(1e6, 1.5e5);
  int drifted = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::int64_t> walls(60);
    for (auto& wall : walls) wall = static_cast<std::int64_t>(normal(generator));
    drifted += !rechecked(pass_of(walls)).steady;
  }
  EXPECT_LE(drifted, 20);  // 1.2 % expected with a known error, a little more with the estimated one
}

TEST(DriftCheck, ToleratesNoiseThatLastsForAWindow) {
  std::mt19937_64 generator(4);
  std::normal_distribution<double> normal(1e6, 3e4);
  int drifted = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::int64_t> walls;
    for (int window = 0; window < 6; ++window)
      walls.insert(walls.end(), 10, static_cast<std::int64_t>(normal(generator)));
    drifted += !rechecked(pass_of(walls)).steady;
  }
  EXPECT_LE(drifted, 50);  // single steps do not scatter, so without the batch error it would be about 200
}

TEST(DriftCheck, LeavesColdWindowsOut) {
  TimedPass pass = pass_of(two_levels(1'000'000, 1'000'000));
  for (std::size_t i = 30; i < 50; ++i) pass.steps[i].wall_ns = 9'000'000;
  pass.windows[3].cold_shape = true;
  pass.windows[4].cold_shape = true;
  EXPECT_TRUE(rechecked(pass).steady);
}

TEST(DriftCheck, ComparesTimePerSampleWhereBatchesVary) {
  TimedPass pass = pass_of(two_levels(1'000'000, 2'000'000));
  for (std::size_t i = 30; i < 60; ++i) pass.steps[i].samples = 8;
  EXPECT_TRUE(rechecked(pass).steady);
  for (std::size_t i = 30; i < 60; ++i) pass.steps[i].samples = 7;
  EXPECT_THAT(rechecked(pass).reasons, ElementsAre(HasSubstr("per sample")));
}

TEST(DriftCheck, KeepsTheReasonsOfTheWarmUp) {
  Warmup warmup{.first_step_ns = 1, .steps = 200, .steady = false, .reasons = {"earlier"}};
  recheck_steady(pass_of(two_levels(1'000'000, 1'040'000)), warmup);
  EXPECT_THAT(warmup.reasons, ElementsAre("earlier", HasSubstr("drifted")));
  recheck_steady(pass_of(two_levels(1'000'000, 1'000'000)), warmup);
  EXPECT_FALSE(warmup.steady);
}

TEST(DriftCheck, DoesNotJudgeAPassWithOneObservation) {
  EXPECT_TRUE(rechecked(pass_of(std::vector<std::int64_t>(10, 5), true)).steady);
  EXPECT_TRUE(rechecked(TimedPass{}).steady);
}

}  // namespace
}  // namespace stepgate
