#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "core/error.h"
#include "measure/device/fake/fake_work_trace.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

constexpr std::int64_t us = 1000;

/// The host needs 100 us for a step whose work takes 28 us: the device idles 72 % of the time. In its events that work
/// seems to fill the step, because each is recorded when the host gets there.
ScriptedStepPlan host_bound_step() {
  ScriptedStepPlan plan;
  plan.at(Boundary::forward) = {.host_ns = 40 * us, .device_ns = 10 * us};
  plan.at(Boundary::backward) = {.host_ns = 50 * us, .device_ns = 16 * us};
  plan.at(Boundary::optimizer) = {.host_ns = 10 * us, .device_ns = 2 * us};
  return plan;
}

DeviceWorkFound found_in(const ScriptedStepPlan& plan, const StepCounts& steps, const std::string& refuses = "") {
  FakeBackend backend;
  ScriptedStep step(backend, {plan});
  TimedRun run{step, backend, steps, {plan.batch.shape}};
  FakeWorkTrace trace(backend, refuses);
  return run_device_work(run, trace);
}

std::vector<DeviceWorkWindow> windows_in(const ScriptedStepPlan& plan, const StepCounts& steps) {
  return std::get<std::vector<DeviceWorkWindow>>(found_in(plan, steps));
}

TEST(DeviceWorkPass, SeesThatADeviceIdles) {
  const auto windows = windows_in(host_bound_step(), {.window = 10, .device_work = 20});
  ASSERT_EQ(windows.size(), 2U);
  for (const DeviceWorkWindow& window : windows) {
    EXPECT_EQ(window.steps, 10);
    EXPECT_EQ(window.work_ns, 10 * 28 * us);
    EXPECT_EQ(window.records, 30);
    EXPECT_EQ(window.wall_ns, 10 * 100 * us + 8 * us)
        << "until the device had finished the last backward and optimizer";
    EXPECT_FALSE(window.cold_shape);
  }
}

TEST(DeviceWorkPass, CountsWorkOfTwoStreamsOnce) {
  ScriptedStepPlan plan;
  plan.at(Boundary::h2d) = {.device_ns = 30};
  plan.at(Boundary::forward) = {.device_ns = 50};
  const auto windows = windows_in(plan, {.window = 2, .device_work = 2});
  // The copy of the second step runs beside the forward of the first.
  EXPECT_EQ(windows.at(0).work_ns, 30 + 50 + 50);
  EXPECT_EQ(windows.at(0).wall_ns, 30 + 50 + 50);
}

TEST(DeviceWorkPass, RunsAllStepsWhereTheDeviceCannotBeTraced) {
  FakeBackend backend;
  ScriptedStep step(backend, {host_bound_step()});
  TimedRun run{step, backend, {.window = 5, .device_work = 10}};
  FakeWorkTrace trace(backend, "another tool holds CUPTI");
  const DeviceWorkFound found = run_device_work(run, trace);
  EXPECT_EQ(std::get<std::string>(found), "another tool holds CUPTI");
  EXPECT_EQ(run.next_step, 15) << "other ranks wait for its gradients";
}

TEST(DeviceWorkPass, LeavesNothingBehind) {
  FakeBackend backend;
  ScriptedStep step(backend, {host_bound_step()});
  TimedRun run{step, backend, {.window = 5, .device_work = 5}};
  {
    FakeWorkTrace trace(backend);
    run_device_work(run, trace);
  }
  backend.enqueue(Stream::compute, 5);  // into no trace that is gone
  FakeWorkTrace trace(backend);
  EXPECT_EQ(std::get<std::string>(trace.take()), "the device's work is not being traced");
}

/// Its clock or its records fail in the middle of the pass.
class FailingTrace final : public DeviceWorkTrace {
 public:
  std::vector<std::optional<std::int64_t>> clock;
  std::vector<std::variant<std::vector<WorkInterval>, std::string>> taken;

  std::string start() override { return ""; }
  std::optional<std::int64_t> now_ns() override { return clock.at(reads_++); }
  std::variant<std::vector<WorkInterval>, std::string> take() override { return taken.at(takes_++); }
  void stop() override {}

 private:
  std::size_t reads_ = 0;
  std::size_t takes_ = 0;
};

DeviceWorkFound found_by(FailingTrace& trace) {
  FakeBackend backend;
  ScriptedStep step(backend, {host_bound_step()});
  TimedRun run{step, backend, {.window = 5, .device_work = 5}};
  return run_device_work(run, trace);
}

TEST(DeviceWorkPass, IsAbsentWhereAWindowWasLost) {
  const std::vector<WorkInterval> work = {{10, 20}};
  FailingTrace dropped;
  dropped.clock = {1, 100, 101, 200};
  dropped.taken = {work, "CUPTI dropped 7 records"};
  EXPECT_EQ(std::get<std::string>(found_by(dropped)), "CUPTI dropped 7 records");
  FailingTrace without_clock;
  without_clock.clock = {1, 100, std::nullopt, 200};
  without_clock.taken = {work, work};
  EXPECT_EQ(std::get<std::string>(found_by(without_clock)), "the clock of the device's work could not be read");
  FailingTrace backwards;
  backwards.clock = {1, 100, 200, 101};
  backwards.taken = {work, work};
  EXPECT_EQ(std::get<std::string>(found_by(backwards)), "the clock of the device's work could not be read");
}

TEST(DeviceWorkPass, RefusesCountsThatAreNotWholeWindows) {
  EXPECT_THROW(found_in(host_bound_step(), {.window = 10, .device_work = 15}), Error);
  EXPECT_THROW(found_in(host_bound_step(), {.window = 10, .device_work = 0}), Error);
}

}  // namespace
}  // namespace stepgate
