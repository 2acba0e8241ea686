#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/limits/limit_rule.h"
#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

MetricVerdict judged(const ExampleCase& example, const std::string& metric) {
  return verdict_on(example.judge(), metric);
}

TEST(Budget, IsRedWithAnyBaseline) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"peak_allocated_bytes", 4095}};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "over-budget");
  const MetricVerdict metric = verdict_on(verdict, "peak_allocated_bytes");
  EXPECT_EQ(metric.limit, "budget 4 095 B");
  EXPECT_THAT(metric.detail, HasSubstr("4 096 B exceeds the policy's budget of 4 095 B; 4 096 B, equal"));
}

TEST(Budget, IsRedWithoutABaselineToo) {
  ExampleCase example = example_case();
  example.has_portable = false;
  example.policy.budgets = {{"peak_allocated_bytes", 4095}};
  EXPECT_EQ(example.judge().status, Status::regressed);
  example.policy.budgets = {{"peak_allocated_bytes", 4096}};
  EXPECT_EQ(example.judge().status, Status::no_baseline);
}

TEST(Budget, AMetBudgetChangesNothing) {
  ExampleCase example = example_case();
  const CaseVerdict before = example.judge();
  example.policy.budgets = {{"peak_allocated_bytes", 4096}, {"operators_per_step", 2155}, {"step_time_ns", 30e6}};
  const CaseVerdict after = example.judge();
  ASSERT_EQ(after.metrics.size(), before.metrics.size());
  for (std::size_t i = 0; i < after.metrics.size(); ++i) {
    EXPECT_EQ(after.metrics[i].reason, before.metrics[i].reason);
    EXPECT_EQ(after.metrics[i].limit, before.metrics[i].limit);
  }
}

ExampleCase with_budget_on_what_is_not_measured() {
  ExampleCase example = example_case();
  example.policy.budgets = {{"peak_reserved_bytes", 1000}};
  example.values.absent["peak_reserved_bytes"] = "this device has no caching allocator";
  return example;
}

TEST(Budget, ThatCannotBeCheckedFails) {
  const CaseVerdict verdict = with_budget_on_what_is_not_measured().judge();
  const MetricVerdict metric = verdict_on(verdict, "peak_reserved_bytes");
  EXPECT_EQ(name_of(metric.reason), "budget-unchecked");
  EXPECT_EQ(metric.status, Status::failed);
  EXPECT_TRUE(metric.gating);
  EXPECT_EQ(metric.limit, "budget 1000 B");
  EXPECT_THAT(metric.detail, HasSubstr("could not be checked: this device has no caching allocator; budget_cases"));
  EXPECT_EQ(verdict.status, Status::failed) << "nobody knows whether the limit is kept";
}

constexpr const char* step_energy = "gpu_energy_per_step_j";

/// Processes that took turns, so that nobody can tell the energy of one of them.
PairedCase with_energy_budget_in_turns() {
  PairedCase paired = paired_case(0);
  paired.example.values.took_turns = true;
  paired.example.values.absent[step_energy] = "the other process used energy";
  paired.example.policy.case_budgets = {{.cases = "example/*", .metric = step_energy, .value = 10}};
  return paired;
}

TEST(Budget, OnTheEnergyOfProcessesThatTakeTurnsIsNotJudgedAndNamed) {
  PairedCase paired = with_energy_budget_in_turns();
  const CaseVerdict verdict = paired.judge();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_THAT(verdict.detail, HasSubstr("; limit not judged here: gpu_energy_per_step_j"));
  ASSERT_EQ(verdict.limits.size(), 1U);
  EXPECT_EQ(verdict.limits[0].outcome, LimitOutcome::not_judged);
  EXPECT_EQ(verdict.limits[0].why, "the other process used energy");
  const MetricVerdict metric = verdict_on(verdict, step_energy);
  EXPECT_EQ(metric.status, Status::not_judged);
  EXPECT_EQ(name_of(metric.reason), "limit-not-judged");
  EXPECT_THAT(metric.detail, HasSubstr("the other process used energy; stepgate gate judges it"));
  paired.example.values.took_turns = false;
  EXPECT_EQ(name_of(paired.judge().reason), "budget-unchecked") << "who measures it can mend it";
}

TEST(Budget, OnTheEnergyKeepsTheAnswerOfTheProcessesBeforeThePairs) {
  const PairedCase paired = with_energy_budget_in_turns();
  const LimitVerdict before{.limit = {.kind = AbsoluteLimitKind::budget, .metric = step_energy, .value = 10},
                            .outcome = LimitOutcome::missed,
                            .current = 12,
                            .processes = 3};
  const CaseVerdict verdict =
      judge_case({.current = paired.example.values,
                  .policy = paired.example.policy,
                  .hypotheses = 3,
                  .judge_exact = false,
                  .today = paired.example.today,
                  .reference = PairedReference{.pairs = paired.pairs, .limits_before = {before}}});
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "over-budget");
  EXPECT_THAT(verdict.detail, HasSubstr("12.0 J exceeds the policy's budget of 10.0 J"));
}

TEST(Budget, HoldsForTheCasesThatThePolicyNames) {
  ExampleCase example = with_budget_on_what_is_not_measured();
  example.policy.budget_cases = {{"peak_reserved_bytes", {"example/*/gpu", "example/mlp/t*"}}};
  EXPECT_EQ(name_of(example.judge().reason), "budget-unchecked");
  example.policy.budget_cases = {{"peak_reserved_bytes", {"example/*/gpu"}}};
  EXPECT_EQ(example.judge().status, Status::pass);
  EXPECT_EQ(name_of(judged(example, "peak_reserved_bytes").reason), "no verdict");
}

TEST(Budget, HidesNoMissingMetric) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"peak_allocated_bytes", 1e9}};
  example.values.bytes.erase("peak_allocated_bytes");
  EXPECT_EQ(example.judge().status, Status::failed) << "the baseline has it";
}

TEST(Budget, OnAnEmptySequenceOfCountsIsUnchecked) {
  ExampleCase example = example_case();
  example.has_portable = false;
  example.policy.budgets = {{"operators_per_step", 1e9}};
  example.values.exact["operators_per_step"] = {};
  EXPECT_EQ(name_of(judged(example, "operators_per_step").reason), "budget-unchecked");
}

TEST(Budget, OnATimeIsForTheTimedHalf) {
  ExampleCase example = example_case();
  example.judge_timed = false;
  example.policy.budgets = {{"logging_cost_ns", 1e9}};
  EXPECT_EQ(example.judge().status, Status::pass);
  example.judge_timed = true;
  EXPECT_EQ(name_of(judged(example, "logging_cost_ns").reason), "budget-unchecked");
}

TEST(Budget, OneReplicateOrStepAboveItIsEnoughInTheExactTiers) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"operators_per_step", 2155}, {"peak_allocated_bytes", 5000}};
  example.portable.exact["operators_per_step"][3] = example.values.exact["operators_per_step"][0][3] = 2156;
  EXPECT_EQ(name_of(judged(example, "operators_per_step").reason), "over-budget");
  example.values.bytes["peak_allocated_bytes"] = {4096, 5001};
  EXPECT_EQ(name_of(judged(example, "peak_allocated_bytes").reason), "over-budget");
}

TEST(Budget, AMetricThatDoesNotGateOtherwiseGatesByIt) {
  ExampleCase example = example_case();
  example.values.bytes["host_peak_bytes"] = {900, 900};
  EXPECT_EQ(example.judge().status, Status::pass);
  example.policy.budgets = {{"host_peak_bytes", 899}};
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_TRUE(judged(example, "host_peak_bytes").gating);
}

TEST(Budget, ATimeMustBeSurelyAboveIt) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"step_time_ns", 15e6}};
  example.values.timed["step_time_ns"] = {20e6, 20.1e6, 20.2e6};
  EXPECT_EQ(name_of(judged(example, "step_time_ns").reason), "over-budget");
  EXPECT_EQ(judged(example, "step_time_ns").status, Status::regressed);
  example.policy.budgets = {{"step_time_ns", 20.05e6}};
  EXPECT_EQ(name_of(judged(example, "step_time_ns").reason), "budget-undecided");
  EXPECT_EQ(judged(example, "step_time_ns").status, Status::inconclusive);
  example.policy.budgets = {{"step_time_ns", 20.11e6}};
  EXPECT_EQ(judged(example, "step_time_ns").status, Status::pass);
}

TEST(Budget, OneSlowProcessOfThreeDoesNotExceedABudget) {
  ExampleCase example = example_case();
  example.has_runner = false;
  example.policy.budgets = {{"step_time_ns", 21e6}};
  example.values.timed["step_time_ns"] = {20e6, 20e6, 200e6};
  EXPECT_EQ(judged(example, "step_time_ns").status, Status::inconclusive);
}

TEST(Budget, TooFewReplicatesNeverExceedATimedBudget) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"step_time_ns", 1e6}};
  example.values.timed["step_time_ns"] = {20e6, 20e6};
  EXPECT_EQ(judged(example, "step_time_ns").status, Status::inconclusive);
}

TEST(Budget, AnUndecidedBudgetDoesNotHideARed) {
  ExampleCase example = example_case();
  example.values.timed["step_time_ns"] = {40e6, 40e6, 40.1e6};
  ASSERT_EQ(judged(example, "step_time_ns").status, Status::regressed);
  example.policy.budgets = {{"step_time_ns", 40.02e6}};
  EXPECT_EQ(name_of(judged(example, "step_time_ns").reason), "regressed-unconfirmed");
}

TEST(Budget, ChecksOnlyRequestedHalves) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"step_time_ns", 1e6}};
  example.judge_timed = false;
  EXPECT_EQ(example.judge().status, Status::pass);
  example.policy.budgets = {{"peak_allocated_bytes", 1}, {"peak_reserved_bytes", 1}};
  example.judge_timed = true;
  example.judge_exact = false;
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(Budget, AWaiverExcusesIt) {
  ExampleCase example = example_case();
  example.policy.budgets = {{"peak_allocated_bytes", 1}};
  example.policy.waivers = {{.case_name = example.values.case_name,
                             .metric = "peak_allocated_bytes",
                             .owner = "grace",
                             .until = "2026-12-31",
                             .reason = "larger vocabulary"}};
  EXPECT_EQ(example.judge().status, Status::pass);
}

}  // namespace
}  // namespace stepgate
