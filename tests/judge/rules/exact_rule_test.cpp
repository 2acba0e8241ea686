#include "judge/rules/exact_rule.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

const Metric& operators_metric = *find_metric("operators_per_step");
const Metric& samples_metric = *find_metric("samples_per_step");

MetricVerdict judge_counts(const std::vector<StepSequence>& current, const StepSequence& baseline,
                           std::int64_t tolerance = 0, const Metric& metric = operators_metric) {
  MetricVerdict verdict;
  apply_exact_rule(metric, {current, baseline, tolerance}, verdict);
  return verdict;
}

TEST(ExactRule, PassesWhatIsEqual) {
  const MetricVerdict verdict = judge_counts({{7, 8}, {7, 8}}, {7, 8});
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(name_of(verdict.reason), "equal");
  EXPECT_EQ(verdict.change, 0.0);
}

TEST(ExactRule, OneMoreInOneStepIsRed) {
  const MetricVerdict verdict = judge_counts({{7, 8, 9}, {7, 8, 9}}, {7, 8, 8});
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "above-limit");
  EXPECT_EQ(verdict.detail, "7.667 -> 8 per step (up to +1, in 1 of 3 steps, first in step 2)");
}

TEST(ExactRule, OneReplicateIsEnough) { EXPECT_EQ(judge_counts({{2157}}, {2155}).status, Status::regressed); }

TEST(ExactRule, SaysHowMuchInHowManySteps) {
  EXPECT_EQ(judge_counts({StepSequence(8, 2157)}, StepSequence(8, 2155)).detail,
            "2 155 -> 2 157 per step (+2 in each of 8 steps)");
}

TEST(ExactRule, GivesMeansPerStepAndTheLimit) {
  const MetricVerdict verdict = judge_counts({{10, 20}}, {10, 10}, 3);
  EXPECT_EQ(verdict.baseline, 10.0);
  EXPECT_EQ(verdict.current, 15.0);
  EXPECT_EQ(verdict.change, 0.5);
  EXPECT_EQ(verdict.limit, "+3");
}

TEST(ExactRule, ADecreaseDoesNotOffsetAnIncrease) {
  EXPECT_EQ(judge_counts({{1, 11}}, {10, 10}).status, Status::regressed);
}

TEST(ExactRule, LessIsImproved) {
  const MetricVerdict verdict = judge_counts({{7, 7}, {7, 7}}, {7, 8});
  EXPECT_EQ(verdict.status, Status::improved);
  EXPECT_EQ(name_of(verdict.reason), "below-baseline");
}

TEST(ExactRule, ToleranceEndsWhereItSays) {
  EXPECT_EQ(name_of(judge_counts({{12}}, {10}, 2).reason), "within-limit");
  EXPECT_EQ(judge_counts({{12}}, {10}, 2).status, Status::pass);
  EXPECT_EQ(judge_counts({{13}}, {10}, 2).status, Status::regressed);
}

TEST(ExactRule, ReplicatesThatDisagreeDecideNothing) {
  const MetricVerdict verdict = judge_counts({{7, 8}, {7, 7}}, {7, 8});
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "replicates-disagree");
}

TEST(ExactRule, OneReplicateAboveOfTwoIsNotRed) {
  EXPECT_EQ(name_of(judge_counts({{9}, {8}}, {8}).reason), "replicates-disagree");
}

TEST(ExactRule, AllReplicatesAboveAreRedThoughTheyDisagree) {
  const MetricVerdict verdict = judge_counts({{9}, {10}}, {8});
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(verdict.current, 10.0);
}

TEST(ExactRule, ReplicatesMayDifferWithinTheTolerance) {
  EXPECT_EQ(name_of(judge_counts({{9}, {8}}, {8}, 1).reason), "within-limit");
  EXPECT_EQ(name_of(judge_counts({{6}, {8}}, {8}, 1).reason), "replicates-disagree");
}

TEST(ExactRule, OtherNumbersOfStepsCannotBeCompared) {
  EXPECT_EQ(judge_counts({{7, 8}}, {7, 8, 9}).status, Status::no_baseline);
  EXPECT_EQ(name_of(judge_counts({{7, 8, 9}, {7, 8}}, {7, 8, 9}).reason), "incompatible-baseline");
}

TEST(ExactRule, AMetricWithoutADirectionIsReportedNotJudged) {
  EXPECT_EQ(judge_counts({{33}}, {32}, 0, samples_metric).status, Status::not_judged);
  EXPECT_EQ(name_of(judge_counts({{33}}, {32}, 0, samples_metric).reason), "changed");
  EXPECT_EQ(name_of(judge_counts({{32}}, {32}, 0, samples_metric).reason), "equal");
}

TEST(ExactRule, GrowthFromNothingHasNoRelativeChange) {
  const MetricVerdict verdict = judge_counts({{1}}, {0});
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_FALSE(verdict.change);
}

}  // namespace
}  // namespace stepgate
