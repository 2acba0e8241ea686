#include "judge/reduce/reduce_trend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stepgate {
namespace {

/// 60 steps of batches of two sizes in turns, the larger ones twice as long; each step takes `growth` longer.
RunRecord with_two_sizes(double growth) {
  TimedPass pass{.clock = "steady_clock", .windows = {}, .steps = {}};
  for (int i = 0; i < 60; ++i) {
    const bool large = i % 3 == 0 || i > 50;  // more large ones at the end: a plain slope would rise
    StepSample step;
    step.shape = large ? 2 : 1;
    step.wall_ns = std::llround((large ? 20e6 : 10e6) * std::exp(growth * i));
    pass.steps.push_back(step);
  }
  RunRecord record;
  record.timed["e2e"] = pass;
  return record;
}

TEST(StepTrend, IsTheSlopeBetweenStepsOnBatchesOfOneSize) {
  EXPECT_NEAR(step_trend(with_two_sizes(0.001))->per_step, 0.001, 1e-6);
  EXPECT_NEAR(step_trend(with_two_sizes(0))->per_step, 0, 1e-9);
  EXPECT_EQ(step_trend(with_two_sizes(0))->steps, 60);
}

TEST(StepTrend, AFewSlowStepsMakeNoTrend) {
  RunRecord record = with_two_sizes(0);
  for (std::size_t step : {40U, 47U, 52U, 58U}) record.timed["e2e"].steps[step].wall_ns *= 3;
  EXPECT_NEAR(step_trend(record)->per_step, 0, 1e-9);
}

TEST(StepTrend, HasTheSlopeOfEachBoundaryBesideNoisyOthers) {
  RunRecord record = with_two_sizes(0);
  std::vector<StepSample>& steps = record.timed["e2e"].steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].host_ns[static_cast<std::size_t>(Boundary::data_wait)] = static_cast<std::int64_t>(30'000 + 3'000 * i);
    steps[i].wall_ns += i % 2 == 0 ? 2'000'000 : 0;
  }
  const auto trend = step_trend(record);
  EXPECT_NEAR(trend->boundary_ns_per_step.at("data_wait"), 3000, 1e-6);
  EXPECT_NEAR(trend->boundary_ns_per_step.at("forward"), 0, 1e-6);
  record.timed["e2e"].clock = "cuda_events+steady_clock";
  record.timed["e2e"].windows = {{.wall_ns = 1, .first_step = 0, .steps = 60}};
  EXPECT_FALSE(step_trend(record)) << "the host only queues there";
}

TEST(StepTrend, IsAbsentWithFewSteps) {
  RunRecord record = with_two_sizes(0.001);
  record.timed["e2e"].steps.resize(5);
  EXPECT_FALSE(step_trend(record));
  EXPECT_FALSE(step_trend(RunRecord{}));
}

TEST(StepTrend, TakesWindowsWhereTheDeviceRunsBehind) {
  RunRecord record = with_two_sizes(0);
  TimedPass& pass = record.timed["e2e"];
  for (StepSample& step : pass.steps) step.shape = 1;
  pass.clock = "cuda_events+steady_clock";
  for (std::int64_t first = 0; first < 60; first += 10)
    pass.windows.push_back({.wall_ns = 100'000'000 + 1'000'000 * first, .first_step = first, .steps = 10});
  EXPECT_GT(step_trend(record)->per_step, 0.005);
  pass.steps.back().shape = 2;
  EXPECT_FALSE(step_trend(record)) << "windows of other sizes are no repetition";
}

}  // namespace
}  // namespace stepgate
