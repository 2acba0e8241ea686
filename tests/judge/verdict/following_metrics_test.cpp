// First step and loader supply beside a step time that decides the case.
#include "judge/verdict/following_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* first_step = "first_step_ns";

/// The first step's head is up and down by `swing` from pair to pair, and slower by `change` on the whole.
PairedCase swinging_first_step(double swing, double change, std::size_t count) {
  PairedCase paired = paired_case(0, count);
  auto& pairs = paired.pairs.timed[first_step];
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].head *= (1 + change) * (i % 2 == 0 ? 1 + swing : 1 - swing);
  paired.pairs.finished = false;
  return paired;
}

/// A first step with the noise of the step time, slower by `change`.
PairedCase slower_first_step(double change, std::size_t count) {
  PairedCase paired = paired_case(0, count);
  paired.pairs.timed[first_step] = pairs_of(400e6, change, count);
  paired.pairs.finished = false;
  return paired;
}

MetricVerdict verdict_of(const PairedCase& paired) { return verdict_on(paired.judge(), first_step); }

TEST(FollowingMetrics, NoiseOfTheFirstStepKeepsNoDecidedCaseOpen) {
  const PairedCase paired = swinging_first_step(0.3, 0, 4);
  const MetricVerdict verdict = verdict_of(paired);
  EXPECT_EQ(paired.step().status, Status::pass);
  EXPECT_EQ(verdict.status, Status::inconclusive) << "nobody claims that it passed";
  EXPECT_EQ(name_of(verdict.reason), "left-undecided");
  EXPECT_FALSE(verdict.gating);
  EXPECT_EQ(paired.judge().status, Status::pass);
}

TEST(FollowingMetrics, AGreenNamesWhatItLeftUndecided) {
  const PairedCase paired = swinging_first_step(0.3, 0, 4);
  EXPECT_THAT(paired.judge().detail, HasSubstr("; left undecided: first_step_ns"));
  EXPECT_THAT(verdict_of(paired).detail, HasSubstr("over 4 pairs; left undecided"));
  EXPECT_TRUE(verdict_of(paired).interval);
}

TEST(FollowingMetrics, OneThatLooksWorseKeepsTheCaseOpenUntilItIsRed) {
  const PairedCase early = slower_first_step(0.6, 4);
  EXPECT_EQ(name_of(verdict_of(early).reason), "more-pairs-needed") << "nothing can be red at four pairs";
  EXPECT_TRUE(verdict_of(early).gating);
  EXPECT_EQ(early.judge().status, Status::inconclusive);
  EXPECT_EQ(slower_first_step(0.6, 8).judge().status, Status::regressed);
}

TEST(FollowingMetrics, OneThatLooksWorseAtTheEndIsNotGreen) {
  PairedCase paired = swinging_first_step(0.5, 0.4, 16);
  paired.pairs.finished = true;
  EXPECT_EQ(verdict_of(paired).status, Status::inconclusive);
  EXPECT_TRUE(verdict_of(paired).gating);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, NothingIsLeftUndecidedBeforeTheStepTimeIsDecided) {
  PairedCase paired = swinging_first_step(0.3, 0, 4);
  for (std::size_t i = 0; i < 4; ++i) paired.pairs.timed["step_time_ns"][i].head *= i % 2 == 0 ? 1.2 : 0.8;
  EXPECT_EQ(name_of(paired.step().reason), "more-pairs-needed");
  EXPECT_EQ(name_of(verdict_of(paired).reason), "more-pairs-needed");
  EXPECT_TRUE(verdict_of(paired).gating);
}

TEST(FollowingMetrics, NothingIsLeftUndecidedWithoutAStepTime) {
  PairedCase paired = swinging_first_step(0.3, 0, 4);
  for (const char* leading : {"step_time_ns", "step_time_mean_ns"}) {
    paired.pairs.timed.erase(leading);
    paired.example.values.timed.erase(leading);
  }
  EXPECT_TRUE(verdict_of(paired).gating);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, APreCheckThatCallsItWorseMakesItLead) {
  PairedCase paired = swinging_first_step(0.3, 0, 4);
  paired.pairs.asked = {first_step};
  EXPECT_TRUE(verdict_of(paired).gating);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, AMovedControlIsNoNoise) {
  PairedCase paired = slower_first_step(0.6, 8);
  paired.pairs.control->pairs = pairs_of(20e6, 0.05, 8);
  EXPECT_EQ(name_of(verdict_of(paired).reason), "control-moved");
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, PassAtFourPairsWhereTheirNoiseAllowsIt) {
  // A difference of 8 % from pair to pair: standard error 4.6 %. t.isf(.5 x .05, 3) = 3.18 reaches 14.7 %, below the
  // matter margin of 30 %; with the shares of the step time t.isf(.05 x .05, 3) = 7.45 would reach 34 %.
  const MetricVerdict verdict = verdict_of(swinging_first_step(0.08, 0, 4));
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_TRUE(verdict.gating);
}

TEST(FollowingMetrics, HaveWideMarginsByDefault) {
  EXPECT_EQ(verdict_of(slower_first_step(0, 4)).limit, "+10.0 %");
  EXPECT_EQ(verdict_of(slower_first_step(0.15, 4)).status, Status::pass);
  EXPECT_EQ(verdict_of(slower_first_step(0.4, 8)).status, Status::regressed);
  PairedCase strict = slower_first_step(0.15, 8);
  strict.example.policy.metric_margins[first_step] = {0.01, 0.05};
  EXPECT_EQ(verdict_of(strict).status, Status::regressed) << "the policy has the last word";
}

}  // namespace
}  // namespace stepgate
