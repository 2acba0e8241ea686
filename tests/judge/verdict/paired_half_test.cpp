// A case measured in pairs, from Comparison to verdict. Example: 20 ms per step, .2 % noise, M = 3.
#include "judge/verdict/paired_half.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PairedHalf, AShorterPlanStatesWhatItDetectsItself) {
  PairedCase whole = paired_case(0, 8);
  for (std::size_t i = 0; i < 8; ++i) whole.pairs.timed["step_time_ns"][i].head *= i % 2 == 0 ? 1.06 : 0.95;
  PairedCase eight = whole;
  eight.pairs.most_pairs = 8;
  ASSERT_TRUE(whole.step().detectable_change && eight.step().detectable_change);
  EXPECT_GT(*eight.step().detectable_change, *whole.step().detectable_change) << "than sixteen pairs would";
  PairedCase four = paired_case(0, 4);
  four.pairs.most_pairs = 4;
  EXPECT_FALSE(four.step().detectable_change) << "four pairs call nothing red";
}

TEST(PairedHalf, UnchangedPasses) {
  const PairedCase paired = paired_case(0);
  EXPECT_EQ(paired.judge().status, Status::pass);
  EXPECT_EQ(name_of(paired.step().reason), "within-limit");
  EXPECT_THAT(paired.step().detail, HasSubstr("over 4 pairs"));
}

TEST(PairedHalf, ASlowerHeadIsAConfirmedRed) {
  const PairedCase paired = paired_case(0.1);
  const MetricVerdict verdict = paired.step();
  EXPECT_EQ(paired.judge().status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "regressed");
  EXPECT_NEAR(*verdict.change, 0.1, 0.001);
  EXPECT_NEAR(*verdict.baseline, 20e6, 1e4);
  EXPECT_NEAR(*verdict.current, 22e6, 1e4);
  EXPECT_EQ(verdict.limit, "+1.0 %");
  EXPECT_TRUE(verdict.detectable_change);
  EXPECT_THAT(verdict.detail, HasSubstr("over 8 pairs; control still"));
}

TEST(PairedHalf, StoredSessionsPlayNoPart) {
  PairedCase paired = paired_case(0);
  slow_down(paired.example, 2);  // against the stored sessions: red
  EXPECT_EQ(paired.judge().status, Status::pass);
  paired.example.has_runner = false;
  EXPECT_EQ(paired.judge().status, Status::pass);
  EXPECT_EQ(paired_case(0.1).judge().status, Status::regressed);
}

TEST(PairedHalf, SharesAlphaOverTheSuite) {
  // Noise of mean .017 % and standard error .061 %: (1.31 + .017 - 1) / .061 = 5.3 standard errors. t.isf(.2 x .05 / M,
  // 7) is 3.8 for M = 3 and 6.3 for M = 60. The matter margin is lower, so that it does not pass earlier.
  PairedCase paired = paired_case(0.0131);
  paired.example.policy.margins = {0.01, 0.0102};
  EXPECT_EQ(paired.step().status, Status::regressed);
  paired.example.hypotheses = 60;
  EXPECT_EQ(paired.step().status, Status::inconclusive);
}

TEST(PairedHalf, ARateThatFallsIsRedAndItsChangeNegative) {
  PairedCase paired = paired_case(0);
  paired.pairs.timed["loader_samples_per_s"] = pairs_of(1600, -0.4, 8);
  const MetricVerdict verdict = verdict_on(paired.judge(), "loader_samples_per_s");
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_NEAR(*verdict.change, -0.4, 0.004);
  EXPECT_LT(verdict.interval->lower, -0.4);
  EXPECT_LT(verdict.interval->upper, -0.01);
  EXPECT_GT(verdict.interval->upper, verdict.interval->lower);
  EXPECT_TRUE(verdict.limit.starts_with("-")) << verdict.limit;
  EXPECT_THAT(verdict.detail, HasSubstr("1 600 samples/s -> 960 samples/s, -40.0 % [-"));
  EXPECT_NEAR(*verdict.baseline, 1600, 1);
  EXPECT_NEAR(*verdict.current, 960, 1);
}

TEST(PairedHalf, AMovedControlPreventsARed) {
  PairedCase paired = paired_case(0.1);
  paired.pairs.control->pairs = pairs_of(20e6, 0.05, 8);
  EXPECT_EQ(paired.step().status, Status::inconclusive);
  EXPECT_EQ(name_of(paired.step().reason), "control-moved");
  paired.pairs.timed["step_time_ns"] = pairs_of(20e6, 0, 8);
  EXPECT_EQ(paired.step().status, Status::pass);
}

TEST(PairedHalf, AControlNeverMakesARed) {
  PairedCase paired = paired_case(0.1);
  paired.pairs.control.reset();
  EXPECT_EQ(paired.step().status, Status::regressed);
  EXPECT_THAT(paired.step().detail, HasSubstr("no control"));
}

TEST(PairedHalf, SaysThatTheMachineMoved) {
  PairedCase paired = paired_case(0);
  paired.pairs.timed["step_time_ns"] = pairs_of(24e6, 0, 8);  // 20 % above its stored sessions, on both sides
  EXPECT_EQ(paired.step().status, Status::pass);
  EXPECT_THAT(paired.step().detail, HasSubstr("the machine moved: the base is slower here too (+20"));
  EXPECT_THAT(paired_case(0.1).step().detail, Not(HasSubstr("machine moved")));
}

TEST(PairedHalf, AsksForMorePairsUntilFinished) {
  PairedCase paired = paired_case(0.1, 6);
  paired.pairs.finished = false;
  EXPECT_EQ(paired.step().status, Status::inconclusive);
  EXPECT_EQ(name_of(paired.step().reason), "more-pairs-needed");
  EXPECT_EQ(paired.step().more_replicates, 2);
  paired.pairs.finished = true;
  EXPECT_EQ(name_of(paired.step().reason), "interval-too-wide");
}

TEST(PairedHalf, NoMorePairsComeAfterTheLastInterimAnalysis) {
  PairedCase paired = paired_case(0.03, 16);
  for (std::size_t i = 0; i < 16; ++i) paired.pairs.timed["step_time_ns"][i].head *= i % 2 == 0 ? 1.1 : 0.9;
  paired.pairs.finished = false;
  EXPECT_EQ(name_of(paired.step().reason), "interval-too-wide");
  EXPECT_FALSE(paired.step().more_replicates);
}

TEST(PairedHalf, TooFewPairsForAnInterimAnalysisAreDueToTaint) {
  PairedCase paired = paired_case(0.1, 1);
  EXPECT_EQ(name_of(paired.step().reason), "too-few-pairs");
  paired.pairs.tainted_pairs = 7;
  EXPECT_EQ(name_of(paired.step().reason), "too-few-clean-pairs");
  EXPECT_THAT(paired.step().detail, HasSubstr("1 clean, 7 discarded"));
  paired.pairs.finished = false;
  EXPECT_EQ(name_of(paired.step().reason), "more-pairs-needed");
}

TEST(PairedHalf, WithoutCleanPairsNothingIsDecided) {
  PairedCase paired = paired_case(0.1);
  paired.pairs.timed.clear();
  paired.pairs.tainted_pairs = 8;
  EXPECT_EQ(name_of(paired.step().reason), "too-few-clean-pairs");
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
  paired.pairs.why_tainted = "steal_fraction 0.2 above 0.01: the hypervisor ran another machine";
  EXPECT_THAT(paired.step().detail, HasSubstr("8 discarded, the last one for steal_fraction 0.2 above 0.01"));
  paired.example.values.timed.clear();
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
  paired.pairs.tainted_pairs = 0;
  paired.pairs.set_aside_pairs = 1;
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
  EXPECT_THAT(paired.step().detail, HasSubstr("1 set aside"));
  paired.pairs.set_aside_pairs = 0;
  EXPECT_EQ(name_of(paired.judge().reason), "nothing-measured");
}

TEST(PairedHalf, AMetricThatTheBaseBuildDoesNotMeasureIsNotJudged) {
  PairedCase paired = paired_case(0);
  paired.pairs.timed.erase("first_step_ns");
  EXPECT_EQ(verdict_on(paired.judge(), "first_step_ns").status, Status::not_judged);
  EXPECT_EQ(name_of(verdict_on(paired.judge(), "first_step_ns").reason), "new-metric");
  EXPECT_EQ(paired.judge().status, Status::pass);
  paired.pairs.timed.clear();
  EXPECT_EQ(name_of(verdict_on(paired.judge(), "first_step_ns").reason), "no-pairs");
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
}

TEST(PairedHalf, ImpossibleTimesFail) {
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    PairedCase paired = paired_case(0);
    paired.pairs.timed["step_time_ns"][1].base = bad;
    EXPECT_EQ(paired.step().status, Status::failed);
    EXPECT_EQ(name_of(paired.step().reason), "not-positive");
  }
}

TEST(PairedHalf, TimesThatNeverVaryCertifyNothing) {
  PairedCase paired = paired_case(0);
  paired.pairs.timed["step_time_ns"] = std::vector<Pair>(16, {20e6, 20e6, false});
  EXPECT_EQ(paired.step().status, Status::inconclusive);
  EXPECT_EQ(name_of(paired.step().reason), "constant-differences");
}

TEST(PairedHalf, NotSteadyIsInconclusive) {
  PairedCase paired = paired_case(0.1);
  paired.example.values.unsteady = 3;
  paired.example.values.unsteady_reasons = {"replicate 1: still falling"};
  EXPECT_EQ(name_of(paired.step().reason), "not-steady");
}

TEST(PairedHalf, BoundariesNameTheCauseOnlyInARedCase) {
  PairedCase paired = paired_case(0.1);
  paired.pairs.timed["backward_ns"] = pairs_of(9e6, 0.3, 8);
  EXPECT_EQ(name_of(verdict_on(paired.judge(), "backward_ns").reason), "boundary-slower");
  EXPECT_FALSE(verdict_on(paired.judge(), "backward_ns").gating);
  EXPECT_EQ(name_of(verdict_on(paired.judge(), "forward_ns").reason), "within-limit");
  paired.pairs.timed["step_time_ns"] = pairs_of(20e6, 0, 8);
  EXPECT_EQ(name_of(verdict_on(paired.judge(), "backward_ns").reason), "slower-below-margin");
  EXPECT_NEAR(*verdict_on(paired.judge(), "backward_ns").change, 0.3, 0.001);
}

TEST(PairedHalf, HolmAsksMoreOfOneBoundaryAmongThree) {
  // Eight pairs, seven degrees of freedom: a single test needs t = 1.89, the first of three needs 2.52. With noise of
  // mean .017 % and standard error .061 % t is (1.12 + .017 - 1) / .061 = 2.2.
  PairedCase three = paired_case(0.1);
  for (Pair& pair : three.pairs.timed["backward_ns"]) pair.head *= 1.0112;
  EXPECT_EQ(name_of(verdict_on(three.judge(), "backward_ns").reason), "not-significant");
  PairedCase alone = three;
  for (const char* other : {"forward_ns", "optimizer_ns"}) alone.pairs.timed.erase(other);
  EXPECT_EQ(name_of(verdict_on(alone.judge(), "backward_ns").reason), "boundary-slower");
}

TEST(PairedHalf, RatiosMayBeZeroOrNegative) {
  PairedCase paired = paired_case(0);
  paired.pairs.timed["stall_ratio"] = {{-0.1, 0.0, false}, {0.3, 0.1, true}};
  const MetricVerdict verdict = verdict_on(paired.judge(), "stall_ratio");
  EXPECT_EQ(name_of(verdict.reason), "not-tested");
  EXPECT_NEAR(*verdict.baseline, 0.1, 1e-12);
  EXPECT_NEAR(*verdict.current, 0.05, 1e-12);
}

TEST(PairedHalf, AGatingMetricThatTheHeadNoLongerMeasuresFails) {
  PairedCase paired = paired_case(0);
  EXPECT_EQ(paired.judge().status, Status::pass);
  paired.pairs.lost = {{"loader_samples_per_s", "the loader pass did not run"}, {"h2d_link_share", "no link"}};
  const CaseVerdict verdict = paired.judge();
  EXPECT_EQ(verdict.status, Status::failed) << "its supply may have broken down, and nobody looked";
  const MetricVerdict lost = verdict_on(verdict, "loader_samples_per_s");
  EXPECT_EQ(name_of(lost.reason), "metric-missing");
  EXPECT_THAT(lost.detail, HasSubstr("the loader pass did not run"));
  EXPECT_EQ(name_of(verdict_on(verdict, "h2d_link_share").reason), "no verdict") << "it decides nothing";
}

}  // namespace
}  // namespace stepgate
