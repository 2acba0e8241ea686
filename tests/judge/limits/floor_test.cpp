#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/verdict/run_report.h"
#include "judge/example_case.h"
#include "judge/limits/limit_rule.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* samples_rate = "samples_per_s";

/// The example case, whose processes train on `rates` samples a second.
ExampleCase with_floor(double at_least, const std::vector<double>& rates) {
  ExampleCase example = example_case();
  example.values.timed[samples_rate] = rates;
  example.policy.floors = {{.cases = "example/*", .metric = samples_rate, .value = at_least}};
  return example;
}

ExampleCase with_target(double value, const std::vector<double>& rates) {
  ExampleCase example = example_case();
  example.values.timed[samples_rate] = rates;
  example.policy.targets = {{.cases = "example/*", .metric = samples_rate, .value = value}};
  return example;
}

LimitVerdict only_limit(const CaseVerdict& verdict) {
  EXPECT_EQ(verdict.limits.size(), 1U);
  return verdict.limits.empty() ? LimitVerdict{} : verdict.limits.front();
}

TEST(Floor, ThatIsMetChangesNothing) {
  const CaseVerdict verdict = with_floor(1500, {1600, 1601, 1602}).judge();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(exit_status(verdict.status), 0);
  const LimitVerdict limit = only_limit(verdict);
  EXPECT_EQ(limit.outcome, LimitOutcome::met);
  EXPECT_EQ(limit.processes, 3);
  ASSERT_TRUE(limit.range);
  EXPECT_LT(limit.range->lower, 1601);
  EXPECT_GT(limit.range->upper, 1601);
  EXPECT_FALSE(verdict_on(verdict, samples_rate).gating);
}

TEST(Floor, ThatIsMissedIsRedInTheUnitOfItsUser) {
  const CaseVerdict verdict = with_floor(2000, {1600, 1601, 1602}).judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(exit_status(verdict.status), 1);
  EXPECT_EQ(name_of(verdict.reason), "below-floor");
  EXPECT_THAT(verdict.detail, HasSubstr("samples: 1 601 samples/s is below the policy's floor of 2 000 samples/s"));
  EXPECT_EQ(verdict_on(verdict, samples_rate).limit, "floor 2 000 samples/s");
  EXPECT_EQ(only_limit(verdict).outcome, LimitOutcome::missed);
}

TEST(Floor, BelowWithoutCertaintyIsUndecided) {
  const CaseVerdict verdict = with_floor(1620, {1500, 1600, 1700}).judge();
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(exit_status(verdict.status), 4);
  EXPECT_EQ(name_of(verdict.reason), "floor-undecided");
  EXPECT_EQ(only_limit(verdict).outcome, LimitOutcome::undecided);
  EXPECT_EQ(with_floor(1590, {1500, 1600, 1700}).judge().status, Status::pass) << "the mean keeps it";
}

TEST(Floor, TooFewProcessesMissNothing) {
  const CaseVerdict verdict = with_floor(2000, {1600, 1601}).judge();
  const LimitVerdict limit = only_limit(verdict);
  EXPECT_EQ(limit.outcome, LimitOutcome::undecided);
  EXPECT_EQ(limit.why, "it takes 3 clean processes to tell");
  EXPECT_EQ(name_of(verdict_on(verdict, samples_rate).reason), "floor-undecided");
}

TEST(Floor, HoldsWithoutABaseline) {
  ExampleCase example = with_floor(2000, {1600, 1601, 1602});
  example.has_runner = false;
  EXPECT_EQ(name_of(verdict_on(example.judge(), samples_rate).reason), "below-floor");
}

TEST(Floor, OfARateThatIsNotMeasuredFailsWithItsReason) {
  ExampleCase example = with_floor(2000, {1});
  example.values.timed.erase(samples_rate);
  for (Session& session : example.runner.sessions) session.timed.erase(samples_rate);
  example.values.absent[samples_rate] = "the workload counts no samples";
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(name_of(verdict.reason), "floor-unchecked");
  EXPECT_THAT(verdict.detail, HasSubstr("could not be checked: the workload counts no samples"));
}

TEST(Floor, OfARateThatIsNotANumberFailsWithItsReason) {
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    const CaseVerdict verdict = with_floor(2000, {1600, bad, 1602}).judge();
    EXPECT_EQ(verdict.status, Status::failed);
    const MetricVerdict metric = verdict_on(verdict, samples_rate);
    EXPECT_EQ(name_of(metric.reason), "floor-unchecked");
    EXPECT_THAT(metric.detail, HasSubstr("a measured value is not finite"));
    EXPECT_FALSE(only_limit(verdict).current) << "files hold finite numbers only";
  }
}

TEST(Floor, OfZeroSamplesIsMissed) {
  const CaseVerdict verdict = with_floor(2000, {0, 0, 0}).judge();
  EXPECT_EQ(only_limit(verdict).outcome, LimitOutcome::missed);
  EXPECT_EQ(only_limit(verdict).current, 0);
}

TEST(Floor, HoldsOnItsRunnerClassOnly) {
  ExampleCase example = with_floor(2000, {1600, 1601, 1602});
  example.policy.floors[0].runner_class = "h200-16c";
  EXPECT_TRUE(example.judge().limits.empty());
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(Floor, OfAHalfThatIsNotJudgedIsNotTold) {
  ExampleCase example = with_floor(2000, {1600, 1601, 1602});
  example.judge_timed = false;
  EXPECT_TRUE(example.judge().limits.empty());
}

TEST(Target, ChangesNoVerdict) {
  for (const double value : {1000.0, 1601.0, 9000.0})
    EXPECT_EQ(with_target(value, {1500, 1600, 1700}).judge().status, Status::pass) << value;
}

TEST(Target, IsMetNotMetOrUndecidedByTheInterval) {
  EXPECT_EQ(only_limit(with_target(1500, {1600, 1601, 1602}).judge()).outcome, LimitOutcome::met);
  EXPECT_EQ(only_limit(with_target(1700, {1600, 1601, 1602}).judge()).outcome, LimitOutcome::missed);
  EXPECT_EQ(only_limit(with_target(1590, {1500, 1600, 1700}).judge()).outcome, LimitOutcome::undecided);
  EXPECT_EQ(only_limit(with_target(1610, {1500, 1600, 1700}).judge()).outcome, LimitOutcome::undecided);
  EXPECT_EQ(only_limit(with_target(1000, {1600}).judge()).outcome, LimitOutcome::undecided) << "one process";
}

TEST(Target, OfBytesIsDecidedByTheWorstProcess) {
  ExampleCase example = example_case();
  example.policy.targets = {{.cases = "*", .metric = "peak_allocated_bytes", .value = 4096}};
  EXPECT_EQ(only_limit(example.judge()).outcome, LimitOutcome::met);
  example.policy.targets[0].value = 4095;
  EXPECT_EQ(only_limit(example.judge()).outcome, LimitOutcome::missed);
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(Target, ThatAnImprovementMeetsIsNewlyMet) {
  ExampleCase example = with_target(1900, {2000, 2001, 2002});
  scale(example, "step_time_mean_ns", 0.8);
  scale(example, "step_time_ns", 0.8);
  ASSERT_EQ(verdict_on(example.judge(), "step_time_mean_ns").status, Status::improved);
  EXPECT_TRUE(only_limit(example.judge()).newly_met);
  example.policy.targets[0].value = 1500;
  EXPECT_FALSE(only_limit(example.judge()).newly_met) << "the sessions met it before";
  EXPECT_FALSE(only_limit(with_target(1500, {1600, 1601, 1602}).judge()).newly_met) << "nothing is improved";
}

TEST(CaseBudget, IsABudgetOfTheCasesThatItNames) {
  ExampleCase example = example_case();
  example.policy.case_budgets = {{.cases = "example/mlp/*", .metric = "peak_allocated_bytes", .value = 4095}};
  EXPECT_EQ(name_of(example.judge().reason), "over-budget");
  example.policy.case_budgets[0].cases = "other/*";
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(CaseBudget, SaysThatItIsMet) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"peak_allocated_bytes", 8192}};
  const LimitVerdict limit = only_limit(example.judge());
  EXPECT_EQ(limit.limit.kind, AbsoluteLimitKind::budget);
  EXPECT_EQ(limit.outcome, LimitOutcome::met);
  EXPECT_EQ(limit.current, 4096);
}

}  // namespace
}  // namespace stepgate
