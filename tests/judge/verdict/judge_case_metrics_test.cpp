#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

TEST(Judge, AMetricGoneMissingFails) {
  ExampleCase example = example_case();
  example.values.exact.clear();
  example.values.absent["operators_per_step"] = "the profiler is not built in";
  const MetricVerdict verdict = verdict_on(example.judge(), "operators_per_step");
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(name_of(verdict.reason), "metric-missing");
  EXPECT_THAT(verdict.detail, HasSubstr("the profiler is not built in"));
}

TEST(Judge, NumericsGoneMissingFail) {
  ExampleCase example = example_case();
  example.values.numerics.clear();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss").reason), "metric-missing");
}

TEST(Judge, MetricsOutsideTheCatalogueDoNotGate) {
  ExampleCase example = example_case();
  example.values.exact["my_counter"] = {{2}};
  example.portable.exact["my_counter"] = {1};
  EXPECT_EQ(verdict_on(example.judge(), "my_counter").status, Status::regressed);
  EXPECT_FALSE(verdict_on(example.judge(), "my_counter").gating);
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(Judge, EmptySequencesAreNoMeasurement) {
  ExampleCase example = example_case();
  example.values.exact["operators_per_step"] = {};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "operators_per_step").reason), "metric-missing");
}

TEST(Judge, NonFiniteLossIsRedWithoutABaseline) {
  ExampleCase example = example_case();
  example.has_portable = false;
  example.values.numerics[1].loss[7] = std::numeric_limits<double>::quiet_NaN();
  const MetricVerdict verdict = verdict_on(example.judge(), "loss");
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_THAT(verdict.detail, HasSubstr("nan in step 7"));
}

ExampleCase with_discriminator_loss() {
  ExampleCase example = example_case();
  const std::vector<double> losses(21, 0.7);
  for (NumericTrace& trace : example.values.numerics) trace.further_losses["discriminator"] = losses;
  example.portable.numerics->further_losses["discriminator"] = losses;
  return example;
}

TEST(Judge, JudgesAFurtherLossAsTheLoss) {
  ExampleCase example = with_discriminator_loss();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss[discriminator]").reason), "equal");
  for (NumericTrace& trace : example.values.numerics) trace.further_losses["discriminator"][4] = 0.7005;
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(verdict_on(verdict, "loss[discriminator]").status, Status::regressed);
  EXPECT_TRUE(verdict_on(verdict, "loss[discriminator]").gating);
  EXPECT_EQ(verdict_on(verdict, "loss").status, Status::pass);
  example.policy.loss_rtol = 0.01;
  EXPECT_EQ(example.judge().status, Status::pass) << "with the tolerance of losses";
}

TEST(Judge, AFurtherLossThatIsNotFiniteIsRed) {
  ExampleCase example = with_discriminator_loss();
  example.values.numerics[1].further_losses["discriminator"][2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss[discriminator]").reason), "non-finite");
}

TEST(Judge, AFurtherLossMayBeNewButNotLost) {
  ExampleCase example = with_discriminator_loss();
  example.portable.numerics->further_losses.clear();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss[discriminator]").reason), "new-metric");
  EXPECT_EQ(example.judge().status, Status::pass);
  example = with_discriminator_loss();
  for (NumericTrace& trace : example.values.numerics) trace.further_losses.clear();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss[discriminator]").reason), "metric-missing");
  EXPECT_EQ(example.judge().status, Status::failed);
}

TEST(Judge, TestsABoundaryOfTheLoopsOwnWhereTheStepIsRed) {
  ExampleCase example = example_case();
  example.values.timed["boundary_ns[critic]"] = {4e6, 4e6, 4e6};
  for (Session& each : example.runner.sessions) each.timed["boundary_ns[critic]"] = {2e6, 2e6, 2e6};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "boundary_ns[critic]").reason), "not-tested");
  slow_down(example, 1.3);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "boundary_ns[critic]").reason), "boundary-slower");
}

TEST(Judge, ListsTheBoundariesOfALoopInItsOrder) {
  ExampleCase example = example_case();
  example.values.boundaries = StepBoundaries({"data_wait", "teacher", "critic", "forward", "actor"});
  for (const char* metric : {"boundary_ns[actor]", "boundary_ns[critic]", "boundary_ns[teacher]"}) {
    example.values.timed[metric] = {2e6, 2e6, 2e6};
    for (Session& each : example.runner.sessions) each.timed[metric] = {2e6, 2e6, 2e6};
  }
  std::vector<std::string> listed;
  for (const MetricVerdict& verdict : example.judge().metrics) {
    if (verdict.metric.starts_with("boundary_ns[")) listed.push_back(verdict.metric);
  }
  EXPECT_EQ(listed, (std::vector<std::string>{"boundary_ns[teacher]", "boundary_ns[critic]", "boundary_ns[actor]"}));
}

TEST(Judge, AWaiverAndABudgetMayNameAMemberOfAFamily) {
  ExampleCase example = with_discriminator_loss();
  for (NumericTrace& trace : example.values.numerics) trace.further_losses["discriminator"][4] = 1;
  example.policy.waivers = {{.case_name = "example/mlp/tiny",
                             .metric = "loss[discriminator]",
                             .owner = "jane",
                             .until = "2027-01-01",
                             .reason = "new loss"}};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss[discriminator]").reason), "waived");
  example.values.timed["boundary_ns[critic]"] = {4e6, 4e6, 4e6};
  example.policy.budgets["boundary_ns[critic]"] = 3e6;
  EXPECT_EQ(name_of(verdict_on(example.judge(), "boundary_ns[critic]").reason), "over-budget");
}

}  // namespace
}  // namespace stepgate
