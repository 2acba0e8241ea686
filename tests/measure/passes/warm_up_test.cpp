#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using test::host_step;
using test::like_cpu;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t ms = 1'000'000;

Warmup warm_up_of(std::vector<ScriptedStepPlan> script, StepCounts steps, FakeDevice device = like_cpu) {
  FakeBackend backend(device);
  ScriptedStep step(backend, std::move(script));
  TimedRun run{step, backend, steps};
  return warm_up(run);
}

ScriptedStepPlan device_step(std::int64_t device_ns) {
  ScriptedStepPlan plan = test::queued_step();
  plan.at(Boundary::forward).device_ns = device_ns;
  return plan;
}

TEST(WarmUp, EndsAfterTwoBlocksOfALevelLoop) {
  const Warmup warmup = warm_up_of({host_step(20 * ms)}, {.window = 10});

  EXPECT_TRUE(warmup.steady);
  EXPECT_THAT(warmup.reasons, IsEmpty());
  EXPECT_EQ(warmup.steps, 1 + 20);
}

TEST(WarmUp, GoesOnWhileStepsGetFaster) {
  std::vector<ScriptedStepPlan> script = {host_step(500 * ms)};
  for (std::int64_t i = 0; i < 30; ++i) script.push_back(host_step((40 - i) * ms));
  script.push_back(host_step(10 * ms));
  const Warmup warmup = warm_up_of(script, {.window = 10});

  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 50);  // 30 falling, 20 level
}

TEST(WarmUp, RecordsTheColdFirstStepApart) {
  ScriptedStepPlan cold = device_step(900 * ms);
  const Warmup warmup = warm_up_of({cold, device_step(100 * ms)}, {.window = 10}, {});

  // On an asynchronous device the first step ends when the device has finished it.
  EXPECT_EQ(warmup.first_step_ns, 900 * ms + 32 + 200 + 50);
  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 20);
}

TEST(WarmUp, GivesUpAtTheCapAndSaysWhy) {
  std::vector<ScriptedStepPlan> script;
  for (std::int64_t i = 0; i < 100; ++i) script.push_back(host_step((10 + i) * ms));
  const Warmup warmup = warm_up_of(script, {.window = 10, .warmup_cap = 60});

  EXPECT_FALSE(warmup.steady);
  EXPECT_EQ(warmup.steps, 60);
  ASSERT_THAT(warmup.reasons, SizeIs(2));
  EXPECT_THAT(warmup.reasons[0], AllOf(HasSubstr("60 warm-up steps"), HasSubstr("cap: 60 steps")));
  EXPECT_THAT(warmup.reasons[1], HasSubstr("the last two blocks of 10 steps took"));
}

TEST(WarmUp, TinyStepsRunOnPastTheCapUntilEnoughTimeHasPassed) {
  const Warmup warmup = warm_up_of({host_step(ms / 10)}, {.window = 10, .warmup_cap = 21});

  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 2000);  // 0.2 s
}

TEST(WarmUp, GivesUpAfterTwoMinutesWhateverTheCap) {
  std::vector<ScriptedStepPlan> script;
  for (std::int64_t i = 0; i < 100; ++i) script.push_back(host_step((1000 + 100 * i) * ms));
  const Warmup warmup = warm_up_of(script, {.window = 10, .warmup_cap = 1000});

  EXPECT_FALSE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 40);  // 10 x (1.55 + 2.55 + 3.55 + 4.55) s = 122 s
}

TEST(WarmUp, ADeviceNeedsASecond) {
  const Warmup warmup = warm_up_of({device_step(10 * ms)}, {.window = 10}, {});

  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 100);
}

TEST(WarmUp, GoesOnWhileTheDeviceAllocatorGrows) {
  std::vector<ScriptedStepPlan> script(36, device_step(100 * ms));
  for (std::size_t i = 0; i < 35; ++i) script[i].leaked_bytes = 1 << 20;
  const Warmup warmup = warm_up_of(script, {.window = 10}, {});

  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 50);  // the last growth was in the window of steps 31 to 40

  for (ScriptedStepPlan& plan : script) plan.leaked_bytes = 1 << 20;
  const Warmup growing = warm_up_of(script, {.window = 10, .warmup_cap = 60}, {});
  EXPECT_FALSE(growing.steady);
  EXPECT_THAT(growing.reasons, Contains(HasSubstr("the device allocator was still changing: ")));
}

TEST(WarmUp, GoesOnWhileThePageFaultRateChanges) {
  std::vector<ScriptedStepPlan> script(21, host_step(20 * ms));
  for (std::size_t i = 0; i < 20; ++i) script[i].page_faults = 1000 - 40 * static_cast<std::int64_t>(i);
  EXPECT_EQ(warm_up_of({host_step(20 * ms)}, {.window = 10}).steps, 1 + 20);
  const Warmup warmup = warm_up_of(script, {.window = 10});

  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 30);
}

TEST(WarmUp, GoesOnWhileNewShapesCome) {
  std::vector<ScriptedStepPlan> script(26, host_step(20 * ms));
  script[25].batch.shape = 8;
  script.push_back(host_step(20 * ms));
  script[15].batch.shape = 9;
  const Warmup warmup = warm_up_of(script, {.window = 10});

  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 40);  // steps 25 to 30 have no new shape, but they are too few
}

TEST(WarmUp, ALoopThatNeverRepeatsAShapeIsNotSteady) {
  std::vector<ScriptedStepPlan> script(100, host_step(20 * ms));
  for (std::size_t i = 0; i < script.size(); ++i) script[i].batch.shape = i;
  const Warmup warmup = warm_up_of(script, {.window = 10, .warmup_cap = 41});

  EXPECT_FALSE(warmup.steady);
  EXPECT_THAT(warmup.reasons, Contains(HasSubstr("41 shapes in 41 steps")));
}

/// Steps `from` to `to` are shorter, because the loss scaler skips their update.
std::vector<ScriptedStepPlan> skipping(std::int64_t step_ns, std::size_t from, std::size_t to) {
  std::vector<ScriptedStepPlan> script(to + 2, host_step(step_ns));
  for (std::size_t i = from; i <= to; ++i) {
    script[i] = host_step(step_ns / 6);
    script[i].skipped_updates = 1;
  }
  return script;
}

TEST(WarmUp, WindowsWithASkippedUpdateGiveNoPace) {
  const Warmup warmup = warm_up_of(skipping(20 * ms, 11, 20), {.window = 10});
  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 30) << "the first window and the third are level";
}

TEST(WarmUp, DoesNotEndWithASkippedUpdate) {
  // 0.2 s have passed after four windows, and the second and third are level.
  const Warmup warmup = warm_up_of(skipping(6 * ms, 31, 31), {.window = 10});
  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 50);
}

TEST(WarmUp, ALoopThatSkipsInEveryWindowIsNotSteady) {
  const Warmup warmup = warm_up_of(skipping(60 * ms, 0, 100), {.window = 10, .warmup_cap = 61});
  EXPECT_FALSE(warmup.steady);
  EXPECT_EQ(warmup.steps, 61) << "the cap counts them";
  EXPECT_THAT(warmup.reasons,
              Contains(HasSubstr("the loss scaler skipped an update in the window that ended 0 steps")));
}

TEST(WarmUp, SaysThatTheFirstStepSkippedItsUpdate) {
  for (const bool skips : {false, true}) {
    FakeBackend backend(like_cpu);
    std::vector<ScriptedStepPlan> script = skipping(20 * ms, 0, 0);
    script[0].skipped_updates = skips ? 1 : 0;
    ScriptedStep step(backend, script);
    TimedRun run{step, backend, {.window = 10}};
    EXPECT_EQ(warm_up(run).steps, 1 + 20);
    EXPECT_EQ(run.first_update_skipped, skips);
  }
}

TEST(WarmUp, LeavesTheShapesItSawForThePasses) {
  FakeBackend backend(like_cpu);
  std::vector<ScriptedStepPlan> script(2, host_step(20 * ms));
  script[0].batch.shape = 3;
  ScriptedStep step(backend, script);
  TimedRun run{step, backend, {.window = 10}};
  warm_up(run);

  EXPECT_THAT(run.seen_shapes, testing::ElementsAre(3u, 7u));
}

TEST(WarmUp, RefusesZeroCaps) {
  EXPECT_THROW(warm_up_of({host_step(ms)}, {.warmup_cap = 0}), Error);
  EXPECT_THROW(warm_up_of({host_step(ms)}, {.window = 0}), Error);
}

/// Warms up with another rank that gives scripted answers in order and repeats the last one.
struct OtherRank {
  std::vector<bool> answers;
  std::vector<bool> asked = {};

  Warmup warm_up_beside(const std::vector<ScriptedStepPlan>& script, StepCounts steps) {
    FakeBackend backend(like_cpu);
    ScriptedStep step(backend, script);
    const auto agree = [this](bool mine) {
      const bool theirs = answers[std::min(asked.size(), answers.size() - 1)];
      asked.push_back(mine);
      return mine && theirs;
    };
    TimedRun run{step, backend, steps};
    run.agree = agree;
    return warm_up(run);
  }
};

TEST(WarmUp, WaitsForTheOtherRanksToGetSteady) {
  // Two questions per round: whether it is steady, and whether it gave up. Alone, this loop is steady after two
  // windows.
  OtherRank other{{false, true, false, true, false, true, false, true, true, true}};
  const Warmup warmup = other.warm_up_beside({host_step(20 * ms)}, {.window = 10});

  EXPECT_TRUE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 40);
  EXPECT_THAT(warmup.reasons, IsEmpty());
  EXPECT_EQ(other.asked, (std::vector<bool>{false, true, false, true, true, true, true, true, true, true}));
}

TEST(WarmUp, GivesUpWithTheRankThatGivesUp) {
  OtherRank other{{false, true, false, true, false, true, false, false}};
  const Warmup warmup = other.warm_up_beside({host_step(20 * ms)}, {.window = 10});

  EXPECT_FALSE(warmup.steady);
  EXPECT_EQ(warmup.steps, 1 + 30);
  EXPECT_THAT(warmup.reasons, Contains("this rank was steady, another one was not"));
}

}  // namespace
}  // namespace stepgate
