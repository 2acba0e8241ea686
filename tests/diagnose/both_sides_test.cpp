#include "diagnose/both_sides.h"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

TEST(BothSides, WorkComesFromThePortableBaselineAndOnAGpuFromTheDevices) {
  SampleCase sample;
  JudgedComparison input = sample.input();
  EXPECT_EQ(work_baseline(input), &*input.exact);
  input.device = Device::cuda;
  input.exact.reset();
  EXPECT_EQ(work_baseline(input), nullptr);
  input.exact = sample.portable;
  EXPECT_EQ(work_baseline(input), &*input.exact);
  input.exact->exact.clear();
  input.exact->bytes.clear();
  input.exact->numerics.reset();
  EXPECT_EQ(work_baseline(input), nullptr) << "it holds no work";
}

TEST(BothSides, TimedPairPrefersTheVerdictsNumbers) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::pass, 1, 2);
  sample.runner.sessions = {{"", 0, "", {{"step_time_ns", {7}}}}};
  sample.current.timed["step_time_ns"] = {9};
  const auto pair = timed_pair(sample.input(), "step_time_ns");
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->difference(), 1);
}

TEST(BothSides, TimedPairIsAbsentRatherThanWrong) {
  SampleCase sample;
  EXPECT_FALSE(timed_pair(sample.input(), "step_time_ns"));
  sample.runner.sessions = {{"", 0, "", {{"step_time_ns", {7}}}}};
  sample.current.timed["step_time_ns"] = {9, std::nan("")};
  EXPECT_FALSE(timed_pair(sample.input(), "step_time_ns"));
}

TEST(BothSides, RedNeedsAGatingMetricOfThatTier) {
  SampleCase sample;
  sample.red("peak_allocated_bytes").gating = false;
  EXPECT_FALSE(is_red(sample.input(), Tier::bytes));
  EXPECT_TRUE(is_red(sample.input(), "peak_allocated_bytes"));
}

}  // namespace
}  // namespace stepgate
