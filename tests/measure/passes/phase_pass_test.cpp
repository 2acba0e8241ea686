#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using test::queued_step;

TimedPass phases_of(std::vector<ScriptedStepPlan> script, FakeDevice device = {}) {
  FakeBackend backend(device);
  ScriptedStep step(backend, std::move(script));
  TimedRun run{step, backend, {.phase = 3}, {7}};
  return run_phase(run);
}

TEST(PhasePass, ChargesEachBoundaryWithAllWorkItQueued) {
  const TimedPass pass = phases_of({queued_step()});

  ASSERT_EQ(pass.steps.size(), 3u);
  for (const StepSample& step : pass.steps) {
    EXPECT_EQ(step.host_ns, (BoundaryTimes{10, 22, 105, 205, 55, 1}));
    EXPECT_EQ(step.wall_ns, 398);
    EXPECT_FALSE(step.device_ns);
  }
}

TEST(PhasePass, MovesNoTimeBetweenBoundariesWhenOneGrows) {
  ScriptedStepPlan plan = queued_step();
  plan.at(Boundary::backward).device_ns += 40;
  EXPECT_EQ(phases_of({plan}).steps[1].host_ns, (BoundaryTimes{10, 22, 105, 245, 55, 1}));
}

TEST(PhasePass, ReleaseBelongsToTheStepOnly) {
  ScriptedStepPlan plan = queued_step();
  plan.release_ns = 9;
  EXPECT_EQ(phases_of({plan}).steps[1].wall_ns, 398 + 9);
  EXPECT_EQ(phases_of({plan}).steps[1].host_ns, (BoundaryTimes{10, 22, 105, 205, 55, 1}));
}

TEST(PhasePass, TimesABoundaryOfTheLoopsOwn) {
  FakeBackend backend;
  ScriptedStepPlan plan = queued_step();
  plan.at(own_boundary(0)) = {.host_ns = 3, .device_ns = 70};
  ScriptedStep step(backend, {plan});
  step.name_boundary("critic", Boundary::forward);
  TimedRun run{step, backend, {.phase = 3}, {7}};
  const TimedPass pass = run_phase(run);

  EXPECT_EQ(step.boundaries().names()[2], "critic");
  for (const StepSample& sample : pass.steps) {
    EXPECT_EQ(sample.host_ns, (BoundaryTimes{10, 22, 105, 205, 55, 1, 73}));
    EXPECT_EQ(sample.wall_ns, 398 + 73);
  }
}

TEST(PhasePass, HasNoWindows) {
  const TimedPass pass = phases_of({queued_step()});

  EXPECT_TRUE(pass.windows.empty());
  EXPECT_EQ(pass.clock, "virtual");
}

TEST(PhasePass, TagsNewShapes) {
  std::vector<ScriptedStepPlan> script(3, queued_step());
  script[1].batch.shape = 8;
  const TimedPass pass = phases_of(script);

  EXPECT_FALSE(pass.steps[0].cold_shape);
  EXPECT_TRUE(pass.steps[1].cold_shape);
}

TEST(PhasePass, RefusesZeroSteps) {
  FakeBackend backend;
  ScriptedStep step(backend, {queued_step()});
  TimedRun run{step, backend, {.phase = 0}};
  EXPECT_THROW(run_phase(run), Error);
}

TEST(PhasePass, MarksTheStepThatSkippedItsUpdate) {
  std::vector<ScriptedStepPlan> script(3, queued_step());
  script[1].skipped_updates = 2;
  const TimedPass pass = phases_of(script);
  EXPECT_FALSE(pass.steps[0].left_out());
  EXPECT_TRUE(pass.steps[1].skipped_update);
  EXPECT_FALSE(pass.steps[2].left_out());
}

}  // namespace
}  // namespace stepgate
