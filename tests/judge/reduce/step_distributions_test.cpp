#include "judge/reduce/step_distributions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

constexpr auto forward = static_cast<std::size_t>(Boundary::forward);

/// A process whose steps take first, first + 1, ... ns, half of it in forward.
Replicate process(std::int64_t first, std::int64_t steps, const std::string& clock = "steady_clock") {
  RunRecord record;
  TimedPass e2e{.clock = clock, .windows = {}, .steps = {}};
  for (std::int64_t i = 0; i < steps; ++i) {
    StepSample step;
    step.wall_ns = first + i;
    step.host_ns[forward] = (first + i) / 2;
    e2e.steps.push_back(step);
  }
  e2e.windows = {{.wall_ns = steps * 1000, .first_step = 0, .steps = steps}};
  record.timed["e2e"] = e2e;
  record.timed["phase"] = {.clock = clock, .windows = {}, .steps = e2e.steps};
  record.warmup = Warmup{.first_step_ns = 7000, .steps = 5, .steady = true, .reasons = {}};
  Replicate replicate;
  replicate.group = Group::timed;
  replicate.record = std::move(record);
  return replicate;
}

const StepDistribution* row(const std::vector<StepDistribution>& rows, const std::string& what) {
  for (const StepDistribution& one : rows) {
    if (one.what == what) return &one;
  }
  return nullptr;
}

std::vector<StepDistribution> rows_of(std::vector<Replicate> replicates) {
  Measurement measurement;
  measurement.replicates = std::move(replicates);
  return step_distributions(measurement);
}

TEST(StepDistributions, PoolTheStepsOfAllCleanProcesses) {
  Replicate disturbed = process(9000, 50);
  disturbed.taint_reasons = {"another process ran"};
  const auto rows = rows_of({process(1, 50), disturbed, process(51, 50)});

  const StepDistribution* step = row(rows, "step");
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->unit, DistributionUnit::step);
  EXPECT_EQ(step->n, 100);
  EXPECT_EQ(step->processes, 2);
  EXPECT_DOUBLE_EQ(step->mean_ns, 50.5);
  EXPECT_DOUBLE_EQ(step->median_ns, 50.5);
  EXPECT_NEAR(*step->sd_ns, std::sqrt(100.0 * 101.0 / 12.0), 1e-9);  // of 1..n: n (n + 1) / 12
  EXPECT_DOUBLE_EQ(*step->p95_ns, 95.05);
  EXPECT_DOUBLE_EQ(*step->p99_ns, 99.01);
  EXPECT_EQ(step->min_ns, 1);
  EXPECT_EQ(step->max_ns, 100);
  EXPECT_EQ(row(rows, "forward")->max_ns, 50);
}

TEST(StepDistributions, APercentileWithTooFewValuesIsAbsent) {
  const auto rows = rows_of({process(1, 99)});
  EXPECT_TRUE(row(rows, "step")->p95_ns);
  EXPECT_FALSE(row(rows, "step")->p99_ns);
  const StepDistribution* first = row(rows, "first step");
  EXPECT_EQ(first->unit, DistributionUnit::process);
  EXPECT_EQ(first->n, 1);
  EXPECT_FALSE(first->sd_ns);
  EXPECT_FALSE(first->p95_ns);
}

TEST(StepDistributions, WhereTheDeviceRunsBehindTheStepIsThatOfWindowsAndQueueingIsARowOfItsOwn) {
  const auto rows = rows_of({process(1, 10, "virtual")});
  EXPECT_EQ(row(rows, "step")->unit, DistributionUnit::window);
  EXPECT_EQ(row(rows, "step")->mean_ns, 1000);
  EXPECT_EQ(row(rows, "queue a step")->max_ns, 10);
  EXPECT_EQ(row(rows_of({process(1, 10)}), "queue a step"), nullptr);
}

TEST(StepDistributions, LeaveOutNewShapesAndBoundariesAtWhichNothingHappens) {
  Replicate replicate = process(1, 3);
  replicate.record->timed["e2e"].steps[2].cold_shape = true;
  const auto rows = rows_of({replicate});
  EXPECT_EQ(row(rows, "step")->n, 2);
  EXPECT_EQ(row(rows, "backward"), nullptr);
  EXPECT_THAT(rows_of({}), testing::IsEmpty());
}

}  // namespace
}  // namespace stepgate
