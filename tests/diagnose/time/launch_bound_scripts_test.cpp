// From a scripted step on the device of virtual time to the finding: who is called launch-bound, and who is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"
#include "judge/reduce/reduce_timed.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/scripted_step.h"

namespace stepgate {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// Each of three boundaries takes the host and the device so long, in microseconds.
ScriptedStepPlan step_of(std::int64_t host_us, std::int64_t device_us) {
  ScriptedStepPlan plan;
  plan.at(Boundary::data_wait) = {.host_ns = 5'000};
  for (const Boundary boundary : {Boundary::forward, Boundary::backward, Boundary::optimizer}) {
    plan.at(boundary) = {.host_ns = host_us * 1000, .device_ns = device_us * 1000};
  }
  plan.batch = {.samples = 4, .shape = 7};
  return plan;
}

/// The case as its e2e pass sees it; the idle time of the device comes from another tool and is unknown here.
std::vector<Finding> findings_of(const ScriptedStepPlan& plan, std::int64_t syncs = 0) {
  FakeBackend backend;
  ScriptedStep step(backend, {plan});
  TimedRun run{step, backend, {.e2e = 20, .window = 10}, {7}};
  RunRecord record;
  record.timed["e2e"] = run_e2e(run);
  SampleCase sample;
  for (const auto& [metric, value] : timed_values(record).values) sample.current.timed[metric] = {value};
  sample.current.timed.erase("device_idle_ratio");
  sample.current.exact["host_syncs_per_step"] = {{syncs, syncs}};
  return explain_launch_bound(sample.input());
}

TEST(LaunchBoundScripts, AHostThatNeedsLongerThanTheDeviceIs) {
  const auto findings = findings_of(step_of(1000, 300));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message,
            "launch-bound: the host needs 3.00 ms to queue a step, and the device has run it 300.0 us later");
}

TEST(LaunchBoundScripts, ADeviceThatNeedsLongerIsNot) { EXPECT_THAT(findings_of(step_of(300, 1000)), IsEmpty()); }

TEST(LaunchBoundScripts, HostAndDeviceThatTakeEquallyLongAreNot) {
  EXPECT_THAT(findings_of(step_of(1000, 1000)), IsEmpty());
}

TEST(LaunchBoundScripts, AStepThatWaitsForItsDataIsNot) {
  ScriptedStepPlan plan = step_of(100, 30);
  plan.at(Boundary::data_wait).host_ns = 2'000'000;
  EXPECT_THAT(findings_of(plan), IsEmpty());
}

TEST(LaunchBoundScripts, AHostThatWaitsForTheDeviceInEachStepIsNot) {
  ScriptedStepPlan plan = step_of(100, 1000);
  plan.at(Boundary::optimizer).hidden_sync = true;  // the device has nothing left when the last step is queued
  EXPECT_THAT(findings_of(plan, 1), IsEmpty());
  EXPECT_THAT(findings_of(plan, 0), SizeIs(1)) << "only the count of syncs tells the two apart";
}

}  // namespace
}  // namespace stepgate
