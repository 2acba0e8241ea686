// First step and loader supply beside a step time that decides the case.
#include "judge/verdict/following_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* first_step = "first_step_ns";
constexpr const char* supply = "loader_samples_per_s";

/// The head of `metric` is up and down by `swing` from pair to pair, and multiplied by `factor` on the whole.
PairedCase swinging(const char* metric, double swing, double factor, std::size_t count) {
  PairedCase paired = paired_case(0, count);
  paired.pairs.timed[supply] = pairs_of(1600, 0, count);
  auto& pairs = paired.pairs.timed[metric];
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].head *= factor * (i % 2 == 0 ? 1 + swing : 1 - swing);
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
  const PairedCase paired = swinging(first_step, 0.3, 1, 4);
  const MetricVerdict verdict = verdict_of(paired);
  EXPECT_EQ(paired.step().status, Status::pass);
  EXPECT_EQ(verdict.status, Status::not_judged) << "nobody claims that it passed";
  EXPECT_EQ(name_of(verdict.reason), "too-noisy");
  EXPECT_EQ(paired.judge().status, Status::pass);
}

TEST(FollowingMetrics, NoiseThatLeansToSlowerKeepsNoDecidedCaseOpenEither) {
  // A mean of +21 % with 63 % from pair to pair: sixteen pairs would show neither a pass nor a red.
  for (const std::size_t count : {4U, 16U}) {
    PairedCase paired = swinging(first_step, 0.5, 1.4, count);
    paired.pairs.finished = count == 16;
    EXPECT_GT(*verdict_of(paired).change, 0.1);
    EXPECT_EQ(name_of(verdict_of(paired).reason), "too-noisy") << count;
    EXPECT_EQ(paired.judge().status, Status::pass) << count;
  }
}

TEST(FollowingMetrics, AGreenNamesWhatWasTooNoisyAndShowsTheSpread) {
  const PairedCase paired = swinging(first_step, 0.5, 1.4, 4);
  EXPECT_THAT(paired.judge().detail, HasSubstr("; too noisy here: first_step_ns"));
  EXPECT_THAT(verdict_of(paired).detail,
              HasSubstr("over 4 pairs; not judged, too noisy here: 8 processes lie between 279.7 ms and 840.7 ms"));
  EXPECT_TRUE(verdict_of(paired).interval);
}

TEST(FollowingMetrics, APolicyMayDemandADecision) {
  PairedCase paired = swinging(first_step, 0.5, 1.4, 16);
  paired.pairs.finished = true;
  paired.example.policy.must_decide = {first_step};
  EXPECT_EQ(verdict_of(paired).status, Status::inconclusive);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, AFirstStepThatMorePairsWouldCallRedGetsThem) {
  const PairedCase early = slower_first_step(0.6, 4);
  EXPECT_EQ(name_of(verdict_of(early).reason), "more-pairs-needed") << "nothing can be red at four pairs";
  EXPECT_TRUE(verdict_of(early).gating);
  EXPECT_EQ(early.judge().status, Status::inconclusive);
  EXPECT_EQ(slower_first_step(0.6, 8).judge().status, Status::regressed);
}

TEST(FollowingMetrics, APlanThatCannotBeRedHidesNoSlowerFirstStep) {
  PairedCase paired = slower_first_step(0.6, 4);
  paired.pairs.most_pairs = 4;
  paired.pairs.finished = true;
  EXPECT_EQ(verdict_of(paired).status, Status::inconclusive);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, NoiseOfTheSupplyIsLeftUndecided) {
  const PairedCase paired = swinging(supply, 0.3, 1.2, 4);
  const MetricVerdict verdict = verdict_on(paired.judge(), supply);
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "left-undecided");
  EXPECT_FALSE(verdict.gating);
  EXPECT_EQ(paired.judge().status, Status::pass);
  EXPECT_THAT(paired.judge().detail, HasSubstr("; left undecided: loader_samples_per_s"));
  EXPECT_THAT(verdict.detail, HasSubstr("over 4 pairs; left undecided"));
  EXPECT_TRUE(verdict.interval);
}

TEST(FollowingMetrics, ASupplyThatLooksWorseAtTheEndIsNotGreen) {
  PairedCase paired = swinging(supply, 0.5, 0.85, 16);
  paired.pairs.finished = true;
  EXPECT_EQ(verdict_on(paired.judge(), supply).status, Status::inconclusive);
  EXPECT_TRUE(verdict_on(paired.judge(), supply).gating);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

/// A supply that leans to slower with a wide spread, `times` as large as what the training takes.
PairedCase noisy_supply(double times) {
  PairedCase paired = swinging(supply, 0.5, 0.85, 16);
  paired.pairs.timed["supply_ratio"] = pairs_of(times, 0, 16);
  paired.pairs.finished = true;
  return paired;
}

TEST(FollowingMetrics, ASupplyThatNoStepWaitsForWithholdsNoVerdict) {
  const PairedCase paired = noisy_supply(600);
  EXPECT_EQ(name_of(verdict_on(paired.judge(), supply).reason), "too-noisy");
  EXPECT_EQ(paired.judge().status, Status::pass);
  EXPECT_EQ(noisy_supply(20).judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, OneProcessWithoutPlentyOfSupplyIsEnough) {
  PairedCase paired = noisy_supply(600);
  paired.pairs.timed["supply_ratio"][3].head = 40;
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
  paired.pairs.timed.erase("supply_ratio");
  EXPECT_EQ(paired.judge().status, Status::inconclusive) << "nobody measured whether a step waits";
}

TEST(FollowingMetrics, ASupplyOfPlentyThatIsSlowerForCertainIsRed) {
  PairedCase paired = paired_case(0, 8);
  paired.pairs.timed[supply] = pairs_of(1600, -0.5, 8);
  paired.pairs.timed["supply_ratio"] = pairs_of(600, -0.5, 8);
  EXPECT_EQ(paired.judge().status, Status::regressed);
}

TEST(FollowingMetrics, NothingIsLeftUndecidedBeforeTheStepTimeIsDecided) {
  PairedCase paired = swinging(first_step, 0.3, 1, 4);
  for (std::size_t i = 0; i < 4; ++i) paired.pairs.timed["step_time_ns"][i].head *= i % 2 == 0 ? 1.2 : 0.8;
  EXPECT_EQ(name_of(paired.step().reason), "more-pairs-needed");
  EXPECT_EQ(name_of(verdict_of(paired).reason), "more-pairs-needed");
  EXPECT_TRUE(verdict_of(paired).gating);
}

TEST(FollowingMetrics, NothingIsLeftUndecidedWithoutAStepTime) {
  PairedCase paired = swinging(first_step, 0.3, 1, 4);
  for (const char* leading : {"step_time_ns", "step_time_mean_ns"}) {
    paired.pairs.timed.erase(leading);
    paired.example.values.timed.erase(leading);
  }
  EXPECT_TRUE(verdict_of(paired).gating);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, APreCheckThatCallsTheSupplyWorseMakesItLead) {
  PairedCase paired = swinging(supply, 0.3, 1.2, 4);
  paired.pairs.asked = {supply};
  EXPECT_TRUE(verdict_on(paired.judge(), supply).gating);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, AFirstStepThatAPreCheckCallsWorseGetsThePairsThatMayCallItRed) {
  PairedCase paired = swinging(first_step, 0.3, 1, 6);
  paired.pairs.asked = {first_step};
  EXPECT_EQ(name_of(verdict_of(paired).reason), "more-pairs-needed");
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
  paired = swinging(first_step, 0.3, 1, 8);
  paired.pairs.asked = {first_step};
  EXPECT_EQ(name_of(verdict_of(paired).reason), "too-noisy");
  EXPECT_EQ(paired.judge().status, Status::pass);
}

TEST(FollowingMetrics, StoredSessionsLeaveANoisyFirstStepUnjudged) {
  // Five sessions: s = 12 % sqrt(4/8), se = 9.3 %. At +15 % a pass would need 14.0 + 1.86 x 9.3 = 31.3 below ln 1.3 =
  // 26.2; a red 14.0 - 2.57 x 9.3 above ln 1.1 = 9.5.
  ExampleCase example = example_case();
  scale(example, first_step, 1.15);
  const MetricVerdict verdict = verdict_on(example.judge(), first_step);
  EXPECT_EQ(verdict.status, Status::not_judged);
  EXPECT_EQ(name_of(verdict.reason), "too-noisy");
  EXPECT_THAT(verdict.detail, HasSubstr("too noisy here: 3 processes lie between 460.0 ms and 460.0 ms"));
  EXPECT_EQ(example.judge().status, Status::pass);
  example.policy.must_decide = {first_step};
  EXPECT_EQ(example.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, StoredSessionsThatShowASlowerFirstStepKeepTheCaseOpen) {
  ExampleCase example = example_case();
  scale(example, first_step, 1.5);
  EXPECT_EQ(example.judge().status, Status::regressed);
  // +42 % alone is red (35.1 - 2.57 x 9.3 = 11.2). Beside a reference case that is 3 % slower it is not.
  example = example_case();
  scale(example, first_step, 1.42);
  scale(example, "reference_step_ns", 1.03);
  EXPECT_EQ(name_of(verdict_on(example.judge(), first_step).reason), "interval-too-wide");
  EXPECT_EQ(example.judge().status, Status::inconclusive);
}

TEST(FollowingMetrics, StoredSessionsLeaveNothingBeforeTheStepTimeIsDecided) {
  ExampleCase example = example_case();
  scale(example, first_step, 1.15);
  scale(example, "step_time_ns", 1.04);
  EXPECT_EQ(name_of(verdict_on(example.judge(), first_step).reason), "interval-too-wide");
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
  const MetricVerdict verdict = verdict_of(swinging(first_step, 0.08, 1, 4));
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
