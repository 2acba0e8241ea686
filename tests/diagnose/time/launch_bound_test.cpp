#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// The host needs 4.1 ms to queue a step of 4.14 ms, and counted syncs say that it never waits for the device.
SampleCase launch_bound() {
  SampleCase sample;
  sample.current.timed["enqueue_time_ns"] = {4.1e6};
  sample.current.timed["enqueue_ratio"] = {0.99};
  sample.current.timed["device_backlog_ratio"] = {0.01};
  sample.current.exact["host_syncs_per_step"] = {{0, 0, 0, 0}};
  return sample;
}

TEST(LaunchBound, IsAnObservationWithBothTimesWhereTheDevicesIdleTimeIsKnown) {
  SampleCase sample = launch_bound();
  sample.current.timed["device_idle_ratio"] = {0.71};
  const auto findings = explain_launch_bound(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_TRUE(is_observation(findings[0]));
  EXPECT_EQ(findings[0].message,
            "launch-bound: the host needs 4.10 ms to queue a step, the device 1.20 ms to run it and is idle for 71.0 % "
            "of the time");
  EXPECT_THAT(findings[0].advice, HasSubstr("CUDA graphs"));
}

TEST(LaunchBound, WithoutItTheShortBacklogIsTheEvidence) {
  const auto findings = explain_launch_bound(launch_bound().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("4.10 ms to queue a step, and the device has run it 41.4 us later"));
}

TEST(LaunchBound, IsSaidWithAReserveWhereHostSyncsWereNotCounted) {
  SampleCase sample = launch_bound();
  sample.current.exact.erase("host_syncs_per_step");
  EXPECT_THAT(explain_launch_bound(sample.input())[0].message, HasSubstr("host syncs were not counted"));
}

TEST(LaunchBound, IsNotSaidOfOtherBottlenecks) {
  SampleCase device = launch_bound();
  device.current.timed["device_backlog_ratio"] = {0.11};
  EXPECT_THAT(explain_launch_bound(device.input()), IsEmpty());

  SampleCase loader = launch_bound();
  loader.current.timed["enqueue_ratio"] = {0.89};
  EXPECT_THAT(explain_launch_bound(loader.input()), IsEmpty());

  SampleCase balanced = launch_bound();
  balanced.current.timed["device_idle_ratio"] = {0.09};
  EXPECT_THAT(explain_launch_bound(balanced.input()), IsEmpty());

  for (const char* metric : {"host_syncs_per_step", "device_syncs_per_step"}) {
    SampleCase waiting = launch_bound();
    waiting.current.exact[metric] = {{0, 0, 0, 0}, {1, 1, 1, 1}};
    EXPECT_THAT(explain_launch_bound(waiting.input()), IsEmpty()) << metric;
  }
  EXPECT_THAT(explain_launch_bound(SampleCase().input()), IsEmpty());
}

TEST(LaunchBound, AQueueThatMayBeFullNeedsTheDevicesIdleTime) {
  SampleCase sample = launch_bound();
  sample.current.exact["kernels_per_step"] = {{10'001, 10'001}};
  EXPECT_THAT(explain_launch_bound(sample.input()), IsEmpty());
  sample.current.timed["device_idle_ratio"] = {0.5};
  EXPECT_EQ(explain_launch_bound(sample.input()).size(), 1U);
}

}  // namespace
}  // namespace stepgate
