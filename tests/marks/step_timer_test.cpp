#include "stepgate/step_timer.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "marks/scripted_clock.h"
#include "measure/counted_new.h"

namespace stepgate {
namespace {

using test::pass_time;
using test::scripted_clock;

StepTimer timer_for(std::int64_t steps, std::size_t kept = 1024) {
  return StepTimer({.steps = steps, .kept = kept, .clock = scripted_clock});
}

/// One step: data 10, copy 2, forward 30, backward 40, optimizer 5, logging 3 and `extra` more.
void run_step(StepMarks& marks, std::int64_t extra = 0) {
  pass_time(10);
  marks.loaded({.samples = 4, .padded_tokens = 8, .effective_tokens = 6});
  pass_time(2);
  marks.copied();
  pass_time(30);
  marks.forward_done(at::Tensor());
  pass_time(40);
  marks.backward_done();
  pass_time(5);
  marks.optimizer_done();
  pass_time(3 + extra);
}

TEST(StepTimer, TellsEachBoundaryByItsMark) {
  StepTimer timer = timer_for(0);
  pass_time(1000);  // the setup is not a step
  for (int i = 0; i < 3 && timer.next_step(); ++i) run_step(timer);
  timer.next_step();
  const StepSummary summary = timer.summary();
  ASSERT_EQ(summary.steps, 3);
  const std::array<double, boundary_count> expected = {10, 2, 30, 40, 5, 3};
  for (const Boundary boundary : all_boundaries) {
    ASSERT_TRUE(summary.of(boundary)) << name_of(boundary);
    EXPECT_EQ(summary.of(boundary)->median_ns, expected[static_cast<std::size_t>(boundary)]) << name_of(boundary);
  }
  EXPECT_EQ(summary.step->median_ns, 90);
  EXPECT_DOUBLE_EQ(*summary.data_wait_share, 10.0 / 90);
  EXPECT_DOUBLE_EQ(*summary.throughput.samples_per_s, 4 * 1e9 / 90);
  EXPECT_DOUBLE_EQ(*summary.throughput.effective_tokens_per_s, 6 * 1e9 / 90);
}

TEST(StepTimer, EndsTheLoopAfterItsSteps) {
  StepTimer timer = timer_for(2);
  int steps = 0;
  while (timer.next_step()) {
    run_step(timer);
    ++steps;
  }
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(timer.completed(), 2);
  EXPECT_TRUE(timer.done());
  EXPECT_FALSE(timer.next_step());
}

TEST(StepTimer, MedianIsTheMiddleAndP90TheNearestRank) {
  StepTimer timer = timer_for(0);
  for (std::int64_t i = 0; i < 10 && timer.next_step(); ++i) run_step(timer, 10 * i);  // logging 3, 13, ... 93
  timer.next_step();
  EXPECT_EQ(timer.summary().of(Boundary::logging)->median_ns, 48);
  EXPECT_EQ(timer.summary().of(Boundary::logging)->p90_ns, 83) << "nine of ten steps do not exceed it";
}

TEST(StepTimer, KeepsTheLastSteps) {
  StepTimer timer = timer_for(0, 4);
  for (std::int64_t i = 0; i < 10 && timer.next_step(); ++i) run_step(timer, i < 6 ? 1000 : 0);
  timer.next_step();
  EXPECT_EQ(timer.completed(), 10);
  EXPECT_EQ(timer.summary().steps, 4);
  EXPECT_EQ(timer.summary().step->p90_ns, 90);
}

TEST(StepTimer, BoundaryWithoutMarkIsAbsentAndItsTimeInTheNext) {
  StepTimer timer = timer_for(0);
  timer.next_step();
  pass_time(7);
  timer.loaded({.samples = 1});
  pass_time(20);
  timer.optimizer_done();
  timer.next_step();
  const StepSummary summary = timer.summary();
  EXPECT_FALSE(summary.of(Boundary::forward));
  EXPECT_FALSE(summary.of(Boundary::backward));
  EXPECT_EQ(summary.of(Boundary::optimizer)->median_ns, 20);
  EXPECT_FALSE(summary.throughput.padded_tokens_per_s) << "none were counted";
}

TEST(StepTimer, RepeatedMarksOfOneStepAddUp) {
  StepTimer timer = timer_for(0);
  timer.next_step();
  for (int micro = 0; micro < 3; ++micro) {  // accumulated gradients
    pass_time(1);
    timer.loaded({.samples = 2});
    pass_time(10);
    timer.forward_done(at::Tensor());
    pass_time(20);
    timer.backward_done();
  }
  pass_time(5);
  timer.optimizer_done();
  timer.next_step();
  const StepSummary summary = timer.summary();
  EXPECT_EQ(summary.of(Boundary::data_wait)->median_ns, 3);
  EXPECT_EQ(summary.of(Boundary::backward)->median_ns, 60);
  EXPECT_EQ(summary.step->median_ns, 98);
  EXPECT_DOUBLE_EQ(*summary.throughput.samples_per_s, 6 * 1e9 / 98);
}

TEST(StepTimer, NextStepTwiceIsTheSameStep) {
  StepTimer timer = timer_for(1);
  EXPECT_TRUE(timer.next_step());
  pass_time(50);  // an epoch ends: the loader starts again
  EXPECT_TRUE(timer.next_step());
  run_step(timer);
  EXPECT_FALSE(timer.next_step());
  EXPECT_EQ(timer.completed(), 1);
  EXPECT_EQ(timer.summary().of(Boundary::data_wait)->median_ns, 60);
}

TEST(StepTimer, AnEvaluationBetweenEpochsIsNoDataWait) {
  StepTimer timer = timer_for(2);
  timer.next_step();
  run_step(timer);
  timer.next_step();  // the epoch ends
  pass_time(5000);    // evaluation
  timer.leave_out();
  timer.next_step();
  run_step(timer);
  timer.next_step();
  const StepSummary summary = timer.summary();
  EXPECT_EQ(summary.of(Boundary::data_wait)->p90_ns, 10);
  EXPECT_EQ(summary.step->p90_ns, 90);
  EXPECT_DOUBLE_EQ(*summary.data_wait_share, 10.0 / 90);
  EXPECT_DOUBLE_EQ(*summary.throughput.samples_per_s, 4 * 1e9 / 90);
}

TEST(StepTimer, ACheckpointWithinAStepIsNoLogging) {
  StepTimer timer = timer_for(1);
  timer.next_step();
  run_step(timer);
  timer.optimizer_done();  // ends what is measured before the checkpoint
  pass_time(5000);
  timer.leave_out();
  pass_time(1);
  timer.next_step();
  EXPECT_EQ(timer.summary().of(Boundary::logging)->median_ns, 1);
  EXPECT_EQ(timer.summary().step->median_ns, 91);
}

TEST(StepTimer, LeavesNothingOutBeforeItsFirstStep) {
  StepTimer timer = timer_for(1);
  pass_time(100);
  timer.leave_out();
  pass_time(100);
  timer.next_step();
  run_step(timer);
  timer.next_step();
  EXPECT_EQ(timer.summary().step->median_ns, 90);
}

/// As run_step(), with the update of a discriminator between copy and forward: 50.
void run_gan_step(StepMarks& marks) {
  pass_time(10);
  marks.loaded({.samples = 4});
  pass_time(50);
  marks.boundary("discriminator", at::Tensor());
  pass_time(30);
  marks.forward_done(at::Tensor());
  pass_time(20);
  marks.boundary("moving_average");
}

TEST(StepTimer, TellsBoundariesThatTheLoopNames) {
  StepTimer timer = timer_for(0);
  for (int i = 0; i < 3 && timer.next_step(); ++i) run_gan_step(timer);
  timer.next_step();
  const StepSummary summary = timer.summary();
  ASSERT_EQ(summary.own.size(), 2U);
  EXPECT_EQ(summary.own[0].name, "discriminator");
  EXPECT_EQ(summary.own[0].times.median_ns, 50);
  EXPECT_EQ(summary.of("moving_average")->median_ns, 20);
  EXPECT_EQ(summary.of("forward")->median_ns, 30);
  EXPECT_FALSE(summary.of("generator"));
  EXPECT_EQ(summary.step->median_ns, 110);
}

TEST(StepTimer, TellsTheBoundariesOfARequest) {
  StepTimer timer = timer_for(0);
  StepMarks& marks = timer;
  marks.training_modules([] { return std::vector<TrainingModule>{}; });
  for (int i = 0; i < 3 && marks.next_step(); ++i) {
    pass_time(10);
    marks.loaded({.samples = 4});
    pass_time(50);
    marks.infer_done(at::Tensor());
    marks.token_done();
    pass_time(5);
    marks.answer_done();
  }
  marks.next_step();
  EXPECT_EQ(timer.summary().of("infer")->median_ns, 50);
  EXPECT_EQ(timer.summary().of("post")->median_ns, 5);
}

TEST(StepTimer, RefusesNamesThatTheGateWouldRefuse) {
  StepTimer timer = timer_for(0);
  timer.next_step();
  for (const char* name : {"", "Critic", "a b", "forward", "a_name_that_is_longer_than_32_char"}) {
    EXPECT_THROW(timer.boundary(name), std::invalid_argument) << name;
  }
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "a"}) EXPECT_NO_THROW(timer.boundary(name)) << name;
  EXPECT_THROW(timer.boundary("i"), std::invalid_argument);
}

TEST(StepTimer, AllocatesNothingForNames) {
  StepTimer timer = timer_for(0, 8);
  const std::int64_t before = test::heap_allocations();
  for (int i = 0; i < 100 && timer.next_step(); ++i) run_gan_step(timer);
  EXPECT_EQ(test::heap_allocations(), before);
}

TEST(StepTimer, SaysNothingOfNoSteps) {
  const StepSummary summary = timer_for(0).summary();
  EXPECT_EQ(summary.steps, 0);
  EXPECT_FALSE(summary.step);
  EXPECT_FALSE(summary.data_wait_share);
  EXPECT_FALSE(summary.throughput.samples_per_s);
}

TEST(StepTimer, AllocatesNothingInALoop) {
  StepTimer timer = timer_for(0, 8);
  const std::int64_t before = test::heap_allocations();
  for (int i = 0; i < 100 && timer.next_step(); ++i) run_step(timer);
  EXPECT_EQ(test::heap_allocations(), before);
}

TEST(StepTimer, RefusesOptionsWithoutMeaning) {
  EXPECT_THROW(StepTimer({.kept = 0}), std::invalid_argument);
  EXPECT_THROW(StepTimer({.steps = -1}), std::invalid_argument);
  EXPECT_THROW(StepTimer({.flops = {.per_step = 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
