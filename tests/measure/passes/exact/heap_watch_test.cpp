#include "measure/passes/exact/heap_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "measure/scripts.h"
#include "measure/step/boundary_action.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;
using testing::SizeIs;

constexpr std::int64_t chunk = 1024 * 1024;
constexpr FakeDevice plain_host = {.events = false, .caching_allocator = false};

/// Steps of which some keep a block of malloc's.
std::vector<ScriptedStepPlan> steps_with_chunks(const std::function<bool(std::size_t)>& has_chunk) {
  std::vector<ScriptedStepPlan> script(60);
  for (std::size_t step = 0; step < script.size(); ++step) script[step].heap_bytes = has_chunk(step) ? chunk : 0;
  return script;
}

struct Followed {
  std::vector<std::int64_t> levels;
  std::string absent;

  /// Steps, counted from the first level, that added about a chunk.
  std::vector<std::size_t> chunks() const {
    std::vector<std::size_t> steps;
    for (std::size_t i = 1; i < levels.size(); ++i) {
      if (levels[i] - levels[i - 1] > chunk / 2) steps.push_back(i - 1);
    }
    return steps;
  }
};

struct FollowedRun {
  StepCounts steps = {};
  std::function<bool(bool mine)> agree = {};
  std::function<void()> after_numerics = [] {};
  std::chrono::milliseconds step_takes = {};
  std::optional<double> left_s = {};
};

/// As the numerics pass calls the watch.
Followed follow(const std::function<bool(std::size_t)>& has_chunk, const FollowedRun& run = {}) {
  FakeBackend backend(plain_host);
  ScriptedStep actions(backend, steps_with_chunks(has_chunk));
  HeapWatch heap(backend, run.steps);
  for (std::int64_t step = 0; step < run.steps.numerics; ++step) {
    run_boundaries(
        actions, step, [](Boundary) {}, [](Boundary) {});
    actions.release();
    if (run.step_takes.count() > 0) std::this_thread::sleep_for(run.step_takes);
    heap.end_step(step);
  }
  run.after_numerics();
  follow_chunks(actions, heap, {.first = run.steps.numerics, .left_s = run.left_s, .agree = run.agree});
  MemoryProfile profile;
  heap.keep(profile);
  const char* const series = "followed_host_heap_bytes";
  return {.levels = profile.series.contains(series) ? profile.series.at(series) : std::vector<std::int64_t>{},
          .absent = profile.absent.contains(series) ? profile.absent.at(series) : ""};
}

bool in_each_16th_step(std::size_t step) { return step % 16 == 7; }
bool in_no_step(std::size_t) { return false; }

TEST(HeapWatch, FollowsMoreStepsWhereAChunkCame) {
  const Followed found = follow(in_each_16th_step);
  if (!found.absent.empty()) GTEST_SKIP() << found.absent;
  EXPECT_THAT(found.levels, SizeIs(catalogue::host_heap_followed_steps + 1));
  EXPECT_THAT(found.chunks(), ElementsAre(4, 20, 36)) << "steps 7, 23 and 39, of which step 3 is the first";
}

TEST(HeapWatch, FollowsNoMoreStepsThanTheNumericsPassHasWhereNoneCame) {
  const Followed found = follow(in_no_step);
  if (!found.absent.empty()) GTEST_SKIP() << found.absent;
  EXPECT_THAT(found.levels, SizeIs(19)) << "from the end of step 2 to that of step 20";
  EXPECT_THAT(found.chunks(), IsEmpty());
  EXPECT_THAT(follow([](std::size_t step) { return step < 3; }).levels, SizeIs(19)) << "in the first steps only";
}

TEST(HeapWatch, AChunkInEachStepNeedsNoMoreSteps) {
  const Followed found = follow([](std::size_t) { return true; });
  if (!found.absent.empty()) GTEST_SKIP() << found.absent;
  EXPECT_THAT(found.levels, SizeIs(19));
  EXPECT_THAT(found.chunks(), SizeIs(18));
}

TEST(HeapWatch, ARankFollowsWhereAnotherOneHasAChunk) {
  if (const Followed alone = follow(in_no_step); !alone.absent.empty()) GTEST_SKIP() << alone.absent;
  // First whether none has a chunk, then whether all have the time.
  const auto another_has_one = [asked = 0](bool mine) mutable { return asked++ == 0 ? false : mine; };
  EXPECT_THAT(follow(in_no_step, {.agree = another_has_one}).levels, SizeIs(catalogue::host_heap_followed_steps + 1));
  const auto no_other_has_one = [](bool mine) { return mine; };
  EXPECT_THAT(follow(in_no_step, {.agree = no_other_has_one}).levels, SizeIs(19));
  EXPECT_THAT(follow(in_each_16th_step, {.agree = no_other_has_one}).levels,
              SizeIs(catalogue::host_heap_followed_steps + 1));
}

TEST(HeapWatch, FollowsNoStepsThatTheTimeLimitOfTheProcessHasNoRoomFor) {
  if (const Followed alone = follow(in_no_step); !alone.absent.empty()) GTEST_SKIP() << alone.absent;
  const std::chrono::milliseconds step(2);  // 30 further steps take 60 ms or more
  const Followed late = follow(in_each_16th_step, {.step_takes = step, .left_s = 0.07});
  EXPECT_THAT(late.levels, IsEmpty());
  EXPECT_THAT(late.absent, AllOf(HasSubstr("30 more steps"), HasSubstr("--timeout")));
  EXPECT_THAT(follow(in_each_16th_step, {.step_takes = step, .left_s = 300}).levels,
              SizeIs(catalogue::host_heap_followed_steps + 1));
  EXPECT_THAT(follow(in_each_16th_step, {.left_s = -1}).levels, IsEmpty()) << "the time is over";
  EXPECT_THAT(follow(in_no_step, {.left_s = -1}).levels, SizeIs(19)) << "no step is wanted";
  EXPECT_THAT(follow(in_each_16th_step, {.steps = {.numerics = 58}, .left_s = -1}).levels, SizeIs(56))
      << "none is left";
}

TEST(HeapWatch, FollowsOnNoRankWhereOneHasNoTime) {
  if (const Followed alone = follow(in_no_step); !alone.absent.empty()) GTEST_SKIP() << alone.absent;
  int asked = 0;
  const auto another_is_late = [&](bool mine) { return ++asked == 1 ? mine : false; };
  const Followed found = follow(in_each_16th_step, {.agree = another_is_late, .left_s = 1000});
  EXPECT_THAT(found.levels, IsEmpty());
  EXPECT_THAT(found.absent, HasSubstr("time limit"));
  EXPECT_EQ(asked, 2);
}

TEST(HeapWatch, WhatTheHarnessAllocatesBetweenStepsIsNoRise) {
  std::vector<std::vector<char>> of_harness;
  const Followed found =
      follow(in_each_16th_step, {.after_numerics = [&] { of_harness.emplace_back(std::vector<char>(chunk)); }});
  if (!found.absent.empty()) GTEST_SKIP() << found.absent;
  EXPECT_THAT(found.chunks(), ElementsAre(4, 20, 36));
}

TEST(HeapWatch, BeginsWithTheFirstStepWhereNoneIsUncounted) {
  const Followed found = follow(in_each_16th_step, {.steps = {.exact_warmup = 0}});
  if (!found.absent.empty()) GTEST_SKIP() << found.absent;
  EXPECT_THAT(found.levels, SizeIs(catalogue::host_heap_followed_steps + 1));
  EXPECT_THAT(found.chunks(), ElementsAre(6, 22, 38));
}

TEST(HeapWatch, ALongNumericsPassIsEnough) {
  const Followed found = follow(in_each_16th_step, {.steps = {.numerics = 58}});
  if (!found.absent.empty()) GTEST_SKIP() << found.absent;
  EXPECT_THAT(found.levels, SizeIs(56)) << "no step after it";
}

TEST(HeapWatch, OtherStepsLeaveTheLevelAsItIs) {
  const Followed found = follow(in_each_16th_step);
  if (!found.absent.empty()) GTEST_SKIP() << found.absent;
  EXPECT_THAT(found.levels.back() - found.levels.front(), AllOf(Gt(3 * chunk - 4096), Lt(3 * chunk + chunk / 2)));
}

}  // namespace
}  // namespace stepgate
