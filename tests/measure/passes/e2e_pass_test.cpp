#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using test::at;
using test::queued_step;

TimedPass e2e_of(std::vector<ScriptedStepPlan> script, FakeDevice device = {}) {
  FakeBackend backend(device);
  ScriptedStep step(backend, std::move(script));
  TimedRun run{step, backend, {.e2e = 10, .window = 10}, {7}};
  return run_e2e(run);
}

TEST(E2ePass, WaitsForTheDeviceAtTheEndOfAWindow) {
  const TimedPass pass = e2e_of({queued_step()});

  ASSERT_EQ(pass.windows.size(), 1u);
  // Load and copy of the first step, then ten times the compute stream. Without the wait it would be 280 ns.
  EXPECT_EQ(pass.windows[0].wall_ns, 32 + 10 * 350);
  std::int64_t queueing_ns = 0;
  for (const StepSample& step : pass.steps) queueing_ns += step.wall_ns;
  EXPECT_EQ(queueing_ns, 10 * 28);
}

TEST(E2ePass, TakesAsLongAsTheHostWhereTheHostIsSlower) {
  ScriptedStepPlan plan = queued_step();
  plan.at(Boundary::data_wait).host_ns = 1000;
  const TimedPass pass = e2e_of({plan});

  EXPECT_EQ(pass.windows[0].wall_ns, 9 * 1018 + 1372);
  // The device was idle from the previous step's end, 354 ns into this step, until the copy began.
  EXPECT_EQ(at(*pass.steps[5].device_ns, Boundary::data_wait), 1002 - 2 - 354);
}

TEST(E2ePass, KeepsQueueingTimeAndDeviceTimeOfEachBoundary) {
  const TimedPass pass = e2e_of({queued_step()});

  ASSERT_EQ(pass.steps.size(), 10u);
  EXPECT_EQ(pass.steps[4].host_ns, (BoundaryTimes{10, 2, 5, 5, 5, 1}));
  // 22: an event pair includes what the host needs to queue the copy on an idle stream.
  ASSERT_TRUE(pass.steps[4].device_ns);
  EXPECT_EQ(*pass.steps[4].device_ns, (BoundaryTimes{0, 22, 100, 200, 50, 0}));
  EXPECT_EQ(*pass.steps[0].device_ns, (BoundaryTimes{10, 22, 100, 200, 50, 0}));
}

TEST(E2ePass, HiddenSynchronisationInForwardShowsThereAndInTheWindow) {
  ScriptedStepPlan plan = queued_step();
  plan.at(Boundary::forward).hidden_sync = true;
  const TimedPass pass = e2e_of({plan});

  EXPECT_EQ(pass.windows[0].wall_ns, 387 + 9 * 355);  // 5 ns idle per step, because backward is queued late
  EXPECT_EQ(at(pass.steps[5].host_ns, Boundary::forward), 487 - 155);
  EXPECT_EQ(at(pass.steps[5].host_ns, Boundary::backward), 5);
}

TEST(E2ePass, ReleaseBelongsToTheStepAndToNoBoundary) {
  ScriptedStepPlan plan = queued_step();
  plan.release_ns = 3;
  const TimedPass pass = e2e_of({plan});

  EXPECT_EQ(pass.steps[2].wall_ns, 31);
  EXPECT_EQ(pass.steps[2].host_ns, (BoundaryTimes{10, 2, 5, 5, 5, 1}));
}

TEST(E2ePass, BatchInfoGoesIntoTheSample) {
  const TimedPass pass = e2e_of({queued_step()});

  EXPECT_EQ(pass.steps[3].samples, 4);
  EXPECT_EQ(pass.steps[3].padded_tokens, 64);
  EXPECT_EQ(pass.steps[3].effective_tokens, 48);
  EXPECT_EQ(pass.steps[3].shape, 7u);
}

TEST(E2ePass, CopyBesideComputeOverlapsWhole) {
  // The host is several steps ahead: the copy of step 5 runs while the device computes a step long before step 4.
  const TimedPass pass = e2e_of({queued_step()});

  for (std::size_t i = 1; i < pass.steps.size(); ++i) EXPECT_EQ(pass.steps[i].overlap_ns, 22) << "step " << i;
}

TEST(E2ePass, CopyOverlapsInPartWhereComputeEndsInsideIt) {
  ScriptedStepPlan plan = queued_step();
  plan.at(Boundary::data_wait).host_ns = 344;  // the copy of step 1 begins 10 ns before step 0 ends
  const TimedPass pass = e2e_of({plan});

  EXPECT_EQ(pass.steps[1].overlap_ns, 10);
}

TEST(E2ePass, CopyLongerThanComputeOverlapsWithAllOfIt) {
  ScriptedStepPlan plan = queued_step();
  plan.at(Boundary::h2d).device_ns = 1000;
  const TimedPass pass = e2e_of({plan});

  EXPECT_EQ(pass.steps[1].overlap_ns, 350);
}

TEST(E2ePass, CopyOverlapsWithNothingWhereItWaitsForComputeOrComesLate) {
  ScriptedStepPlan one_buffer = queued_step();
  one_buffer.copy_waits_for_compute = true;
  EXPECT_EQ(e2e_of({one_buffer}).steps[4].overlap_ns, 0);

  ScriptedStepPlan slow_loader = queued_step();
  slow_loader.at(Boundary::data_wait).host_ns = 1000;
  EXPECT_EQ(e2e_of({slow_loader}).steps[4].overlap_ns, 0);
}

TEST(E2ePass, GapIsTheIdleTimeBetweenTwoSteps) {
  ScriptedStepPlan plan = queued_step();
  plan.release_ns = 1000;
  const TimedPass pass = e2e_of({plan});

  // Step 0 ends on the device at 382; the host begins step 1 at 1028.
  EXPECT_EQ(pass.steps[1].gap_ns, 1028 - 382);
  EXPECT_EQ(e2e_of({queued_step()}).steps[1].gap_ns, 0);
}

TEST(E2ePass, FirstStepOfAWindowHasNeitherGapNorOverlap) {
  const TimedPass pass = e2e_of({queued_step()});

  EXPECT_FALSE(pass.steps[0].gap_ns);
  EXPECT_FALSE(pass.steps[0].overlap_ns);
}

/// Step 5 of a loop with a boundary of its own before `next`, which takes the device 70 ns.
StepSample step_with_own_boundary(Boundary next) {
  FakeBackend backend;
  ScriptedStepPlan plan = queued_step();
  plan.at(own_boundary(0)) = {.host_ns = 3, .device_ns = 70};
  ScriptedStep step(backend, {plan});
  step.name_boundary("critic", next);
  TimedRun run{step, backend, {.e2e = 10, .window = 10}, {7}};
  return run_e2e(run).steps[5];
}

TEST(E2ePass, ABoundaryOfTheLoopsOwnHasTimesOfHostAndDevice) {
  for (const Boundary next : {Boundary::forward, Boundary::optimizer, Boundary::logging}) {
    const StepSample sample = step_with_own_boundary(next);
    EXPECT_EQ(sample.host_ns, (BoundaryTimes{10, 2, 5, 5, 5, 1, 3})) << name_of(next);
    ASSERT_TRUE(sample.device_ns);
    EXPECT_EQ(at(*sample.device_ns, own_boundary(0)), 70) << name_of(next);
    EXPECT_EQ(at(*sample.device_ns, Boundary::forward), 100) << name_of(next);
    EXPECT_EQ(at(*sample.device_ns, Boundary::backward), 200) << name_of(next);
    EXPECT_EQ(at(*sample.device_ns, Boundary::optimizer), 50) << name_of(next);
  }
}

TEST(E2ePass, ABoundaryBeforeTheCopyIsNoDataWait) {
  const StepSample sample = step_with_own_boundary(Boundary::h2d);
  EXPECT_EQ(at(*sample.device_ns, own_boundary(0)), 70);
  EXPECT_EQ(at(*sample.device_ns, Boundary::data_wait), 0);
  EXPECT_EQ(at(*sample.device_ns, Boundary::h2d), 20);
}

TEST(E2ePass, DeviceWithoutEventsLeavesDeviceTimesAbsent) {
  const TimedPass pass = e2e_of({test::host_step(90)}, test::like_cpu);

  EXPECT_EQ(pass.windows[0].wall_ns, 900);
  EXPECT_EQ(pass.steps[4].host_ns, (BoundaryTimes{0, 0, 90, 0, 0, 0}));
  EXPECT_FALSE(pass.steps[4].device_ns);
  EXPECT_FALSE(pass.steps[4].overlap_ns);
  EXPECT_FALSE(pass.steps[4].gap_ns);
}

TEST(E2ePass, CountsItsWindowsAndNamesItsClock) {
  FakeBackend backend;
  ScriptedStep step(backend, {queued_step()});
  TimedRun run{step, backend, {.e2e = 12, .window = 4}, {7}};
  const TimedPass pass = run_e2e(run);

  EXPECT_EQ(pass.clock, "virtual");
  ASSERT_EQ(pass.windows.size(), 3u);
  EXPECT_EQ(pass.windows[2].first_step, 8);
  EXPECT_EQ(pass.windows[2].steps, 4);
  EXPECT_EQ(pass.windows[2].wall_ns, pass.windows[0].wall_ns);  // each begins with an idle device
  EXPECT_EQ(step.logged_step(), 11);
}

TEST(E2ePass, LogNumbersGoOnWhereAnEarlierPassEnded) {
  FakeBackend backend;
  ScriptedStep step(backend, {queued_step()});
  TimedRun run{step, backend, {.e2e = 4, .window = 4, .phase = 3}, {7}};
  run_e2e(run);
  run_phase(run);

  EXPECT_EQ(step.logged_step(), 6);
}

TEST(E2ePass, TagsTheStepAndTheWindowThatBringANewShape) {
  std::vector<ScriptedStepPlan> script(6, queued_step());
  script[3].batch.shape = 8;
  script[5].batch.shape = 8;
  FakeBackend backend;
  ScriptedStep step(backend, script);
  TimedRun run{step, backend, {.e2e = 6, .window = 2}, {7}};
  const TimedPass pass = run_e2e(run);

  std::vector<bool> steps;
  for (const StepSample& sample : pass.steps) steps.push_back(sample.cold_shape);
  EXPECT_THAT(steps, testing::ElementsAre(false, false, false, true, false, false));
  EXPECT_FALSE(pass.windows[0].cold_shape);
  EXPECT_TRUE(pass.windows[1].cold_shape);
  EXPECT_FALSE(pass.windows[2].cold_shape);
  EXPECT_THAT(run.seen_shapes, testing::ElementsAre(7u, 8u));
}

TEST(E2ePass, ShapesOfTheWarmUpAreNotCold) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {test::host_step(50'000'000)});
  TimedRun run{step, backend, {.e2e = 10, .window = 10}};
  warm_up(run);

  EXPECT_FALSE(run_e2e(run).steps[0].cold_shape);
}

TEST(E2ePass, RefusesCountsThatAreNotWholeWindows) {
  FakeBackend backend;
  ScriptedStep step(backend, {queued_step()});
  TimedRun run{step, backend, {.e2e = 65, .window = 10}};
  try {
    run_e2e(run);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "--stepgate_steps: e2e=65 is not a multiple of window=10");
    EXPECT_THAT(error.remedy(), testing::HasSubstr("e2e=70,window=10"));
  }
}

TEST(E2ePass, KeepsWhenAWindowBeganAndItsLastStepWasQueued) {
  const TimedPass pass = e2e_of({queued_step()});
  EXPECT_EQ(pass.windows[0].queued_ns, 10 * 28);
  EXPECT_TRUE(pass.windows[0].begin_us);

  const TimedPass on_cpu = e2e_of({test::host_step(100)}, test::like_cpu);
  EXPECT_FALSE(on_cpu.windows[0].queued_ns) << "the host computes while it is called";
  EXPECT_FALSE(on_cpu.windows[0].begin_us);
}

TEST(E2ePass, DeclaredFlopsGoIntoTheSample) {
  ScriptedStepPlan plan = queued_step();
  EXPECT_FALSE(e2e_of({plan}).steps[3].flops);
  plan.batch.flops = 4'000'000'000'000;
  EXPECT_EQ(e2e_of({plan}).steps[3].flops, 4'000'000'000'000);
}

TEST(E2ePass, MarksTheWindowInWhichTheLossScalerSkippedAnUpdate) {
  FakeBackend backend;
  ScriptedStepPlan skipping = queued_step();
  skipping.skipped_updates = 1;
  std::vector<ScriptedStepPlan> script(15, queued_step());
  script[12] = skipping;
  ScriptedStep step(backend, script);
  TimedRun run{step, backend, {.e2e = 15, .window = 5}, {7}};
  const TimedPass pass = run_e2e(run);

  ASSERT_EQ(pass.windows.size(), 3u);
  EXPECT_FALSE(pass.windows[0].left_out());
  EXPECT_FALSE(pass.windows[1].left_out());
  EXPECT_TRUE(pass.windows[2].skipped_update);
  // Which step of the window it was is not known: the scaler is asked between windows only.
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(pass.steps[i].skipped_update, i >= 10) << i;
  EXPECT_FALSE(pass.steps[12].cold_shape);
}

TEST(E2ePass, AskingTheScalerTakesNoTimeOfTheWindow) {
  std::vector<ScriptedStepPlan> script(10, queued_step());
  script[3].skipped_updates = 1;
  const TimedPass pass = e2e_of(script);
  EXPECT_TRUE(pass.windows[0].skipped_update);
  EXPECT_EQ(pass.windows[0].wall_ns, e2e_of({queued_step()}).windows[0].wall_ns) << "a read takes 1 us";
}

}  // namespace
}  // namespace stepgate
