#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

SampleCase slower_device() {
  SampleCase sample;
  sample.timed("step_time_ns", Status::inconclusive, 15e6, 15.1e6);
  sample.timed("device_time_ns", Status::regressed, 9e6, 10e6);
  return sample;
}

TEST(DeviceTime, IsACauseThoughASlowHostHidesIt) {
  const auto findings = explain_device_time(slower_device().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, FindingCode::device_slower);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].metric, "device_time_ns");
  EXPECT_EQ(findings[0].message, "the device works +1.00 ms longer in a step; the step +100.0 us");
}

TEST(DeviceTime, SaysThatKernelsAreAsManyOnlyWhereTheyWereCounted) {
  SampleCase sample = slower_device();
  sample.judged("own_kernels_per_step", Status::pass);
  sample.verdict.status = Status::regressed;
  EXPECT_EQ(explain_device_time(sample.input())[0].message,
            "the device works +1.00 ms longer in a step; the step +100.0 us")
      << "library calls were not counted";
  sample.judged("library_calls_per_step", Status::improved);
  sample.verdict.status = Status::regressed;
  EXPECT_EQ(explain_device_time(sample.input())[0].message,
            "the device works +1.00 ms longer in a step, by no more kernels and library calls than before; the step "
            "+100.0 us");
}

TEST(DeviceTime, FollowsFromWorkThatWasAdded) {
  for (const char* work : {"h2d_copies_per_step", "graph_kernel_nodes", "flops_per_step"}) {
    SampleCase sample = slower_device();
    sample.red(work);
    const auto findings = explain_device_time(sample.input());
    EXPECT_EQ(findings[0].severity, Severity::note) << work;
    EXPECT_EQ(findings[0].message,
              "the device works +1.00 ms longer in a step, where it has more to do; the step +100.0 us");
  }
  SampleCase beside = slower_device();
  beside.red("loader_operators_per_batch");
  EXPECT_EQ(explain_device_time(beside.input())[0].severity, Severity::cause) << "no work of the device";
}

TEST(DeviceTime, FollowsFromCopiesThatNoLongerOverlap) {
  SampleCase sample = slower_device();
  sample.timed("h2d_overlap_ratio", Status::not_judged, 0.9, 0.75);
  EXPECT_EQ(explain_device_time(sample.input())[0].severity, Severity::cause);
  sample.verdict.metrics.back().current = 0;
  const auto findings = explain_device_time(sample.input());
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_EQ(
      findings[0].message,
      "the device works +1.00 ms longer in a step, since copies no longer run beside compute; the step +100.0 us");
}

TEST(DeviceTime, SaysNothingOnGreen) {
  SampleCase sample;
  sample.timed("device_time_ns", Status::pass, 9e6, 10e6);
  EXPECT_TRUE(explain_device_time(sample.input()).empty());
}

}  // namespace
}  // namespace stepgate
