#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "judge/example_case.h"
#include "judge/verdict/gating_metrics.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

const std::vector<std::int64_t> more_operators(8, 2157);

ExampleCase with_more_operators() {
  ExampleCase example = example_case();
  example.values.exact["operators_per_step"] = {more_operators, more_operators};
  return example;
}

TEST(Judge, AnUnchangedCasePasses) {
  const CaseVerdict verdict = example_case().judge();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(verdict.case_name, "example/mlp/tiny");
}

TEST(Judge, TheWorstGatingMetricDecides) {
  ExampleCase example = with_more_operators();
  example.portable.bytes.erase("peak_allocated_bytes");  // newer than the baseline: decides nothing
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "above-limit");
  EXPECT_THAT(verdict.detail, HasSubstr("operators: 2 155 -> 2 157 per step (+2 in each of 8 steps)"));
}

TEST(Judge, OrdersStatusesAsTheDesignDoes) {
  ExampleCase example = example_case();
  example.values.bytes["peak_allocated_bytes"] = {4000, 4000};
  EXPECT_EQ(example.judge().status, Status::improved);
  example.portable_mismatches = {{"isa", "avx2", "avx512"}};
  EXPECT_EQ(example.judge().status, Status::no_baseline);
  example.portable_mismatches.clear();
  slow_down(example, 1.045);
  EXPECT_EQ(example.judge().status, Status::inconclusive);
  example.values.numerics[0].loss[3] = 1;
  EXPECT_EQ(example.judge().status, Status::regressed);
  example.values.timed.erase("first_step_ns");
  EXPECT_EQ(example.judge().status, Status::failed);
}

TEST(Judge, ListsWorstFirstAndGatingBeforeOthers) {
  ExampleCase example = with_more_operators();
  example.values.bytes["host_peak_bytes"] = {9, 9};
  example.portable.bytes["host_peak_bytes"] = {8};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.metrics.front().metric, "operators_per_step");
  std::vector<std::string> gating_after_others, others;
  for (const MetricVerdict& each : verdict.metrics) {
    if (!each.gating) others.push_back(each.metric);
    if (each.gating && !others.empty()) gating_after_others.push_back(each.metric);
  }
  EXPECT_THAT(gating_after_others, testing::IsEmpty());
  EXPECT_EQ(others.front(), "host_peak_bytes");
}

TEST(Judge, WhatDoesNotGateDoesNotDecide) {
  ExampleCase example = example_case();
  example.values.bytes["host_peak_bytes"] = {9, 9};
  example.portable.bytes["host_peak_bytes"] = {8};
  EXPECT_EQ(verdict_on(example.judge(), "host_peak_bytes").status, Status::regressed);
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(Judge, HalvesAreJudgedAsAskedFor) {
  ExampleCase example = with_more_operators();
  example.judge_exact = false;
  EXPECT_EQ(example.judge().status, Status::pass);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "operators_per_step").reason), "no verdict");
  example.judge_exact = true;
  example.judge_timed = false;
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "step_time_ns").reason), "no verdict");
}

TEST(Judge, AFailedReplicateFailsTheCaseAndStillJudges) {
  ExampleCase example = with_more_operators();
  example.values.failures = {"timed replicate 2: killed by signal 11 (segmentation fault) after 2.1 s"};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(name_of(verdict.reason), "replicate-failed");
  EXPECT_THAT(verdict.detail, HasSubstr("signal 11"));
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").status, Status::regressed);
}

TEST(Judge, ACaseWithoutMeasuredMetricsNeverPasses) {
  ExampleCase example = example_case();
  example.values.timed.clear();
  example.values.clean_timed = 0;
  example.runner.sessions.clear();
  EXPECT_EQ(example.judge().status, Status::failed);
  EXPECT_EQ(name_of(example.judge().reason), "nothing-measured");
  EXPECT_THAT(example.judge().detail, HasSubstr("timed"));
  example.judge_timed = false;
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(Judge, ACaseWithoutARequestedHalfNeverPasses) {
  ExampleCase example = example_case();
  example.judge_exact = example.judge_timed = false;
  EXPECT_EQ(name_of(example.judge().reason), "nothing-measured");
}

TEST(Judge, AllTaintedWithoutABaselineIsInconclusive) {
  ExampleCase example = example_case();
  example.values.timed.clear();
  example.values.clean_timed = 0;
  example.values.tainted = 5;
  example.has_runner = false;
  EXPECT_EQ(example.judge().status, Status::inconclusive);
  EXPECT_EQ(name_of(example.judge().reason), "too-few-clean-replicates");
}

TEST(Judge, WithoutABaselineThereIsNoVerdict) {
  ExampleCase example = example_case();
  example.has_runner = false;
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::no_baseline);
  EXPECT_EQ(name_of(verdict_on(verdict, "step_time_ns").reason), "no-baseline");
  EXPECT_EQ(verdict_on(verdict, "step_time_ns").scope, Scope::runner);
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").status, Status::pass);
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").scope, Scope::portable);
}

TEST(Judge, OtherFactsMakeOnlyTheirBaselineIncompatible) {
  ExampleCase example = with_more_operators();
  example.portable_mismatches = {{"isa", "avx2", "avx512"}, {"torch", "2.11.0", ""}};
  const CaseVerdict verdict = example.judge();
  const MetricVerdict operators = verdict_on(verdict, "operators_per_step");
  EXPECT_EQ(operators.status, Status::no_baseline);
  EXPECT_EQ(name_of(operators.reason), "incompatible-baseline");
  EXPECT_THAT(operators.detail, HasSubstr("isa: baseline 'avx2', here 'avx512'; torch: baseline '2.11.0', here '(un"));
  EXPECT_EQ(name_of(verdict_on(verdict, "loss").reason), "incompatible-baseline");
  EXPECT_EQ(verdict_on(verdict, "step_time_ns").status, Status::pass);
}

TEST(Judge, RunnerMismatchesLeaveThePortableHalfWorking) {
  ExampleCase example = with_more_operators();
  example.runner_mismatches = {{"gpu_driver", "580", "575"}};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "step_time_ns").reason), "incompatible-baseline");
  EXPECT_EQ(verdict_on(example.judge(), "operators_per_step").status, Status::regressed);
}

/// The example on a GPU: its counters lie in a file of their own.
ExampleCase on_gpu(ExampleCase example) {
  example.device = Device::cuda;
  example.has_portable = false;
  example.device_exact = example.portable;
  example.device_exact->scope = Scope::device;
  return example;
}

TEST(Judge, OnAGpuCountsAreHeldAgainstTheFileOfTheDevice) {
  const CaseVerdict verdict = on_gpu(with_more_operators()).judge();
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").status, Status::regressed);
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").scope, Scope::device);
  EXPECT_EQ(verdict_on(verdict, "loss").status, Status::pass);
  EXPECT_EQ(verdict_on(verdict, "step_time_ns").scope, Scope::runner);
}

TEST(Judge, OnAGpuEachHalfIsComparedUnderItsOwnKey) {
  ExampleCase example = on_gpu(with_more_operators());
  example.runner_mismatches = {{"gpu_driver", "580.65", "580.95"}};
  CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(verdict, "step_time_ns").reason), "incompatible-baseline");
  example.runner_mismatches.clear();
  example.device_exact_mismatches = {{"gpu_memory_bytes", "", "85899345920"}};
  verdict = example.judge();
  EXPECT_EQ(name_of(verdict_on(verdict, "operators_per_step").reason), "incompatible-baseline");
  EXPECT_THAT(verdict_on(verdict, "operators_per_step").detail,
              HasSubstr("gpu_memory_bytes: baseline '(unknown)', here '85899345920'"));
  EXPECT_EQ(verdict_on(verdict, "step_time_ns").status, Status::pass);
}

TEST(Judge, ACounterThatTheProcessCanNoLongerReadOnAGpuIsNeverGreen) {
  ExampleCase example = on_gpu(example_case());
  example.device_exact->exact["device_syncs_per_step"] = {0};
  example.values.absent["device_syncs_per_step"] = "another tool has subscribed to CUPTI";
  const MetricVerdict verdict = verdict_on(example.judge(), "device_syncs_per_step");
  EXPECT_EQ(verdict.status, Status::failed) << "a change may itself take CUPTI away";
  EXPECT_EQ(name_of(verdict.reason), "metric-missing");
  EXPECT_THAT(verdict.detail, HasSubstr("another tool has subscribed to CUPTI; if that is meant, accept a baseline"));
}

TEST(Judge, CountersThatAnOlderVersionKeptWithTheTimesOfAGpuAreNoBaselineAndItSaysWhatToDo) {
  ExampleCase example = on_gpu(with_more_operators());
  example.device_exact.reset();
  EXPECT_EQ(verdict_on(example.judge(), "operators_per_step").detail, "there is no device baseline of this case");
  example.runner.exact = example.portable.exact;
  const MetricVerdict counted = verdict_on(example.judge(), "operators_per_step");
  EXPECT_EQ(counted.status, Status::no_baseline);
  EXPECT_THAT(counted.detail, HasSubstr("accept them anew"));
}

TEST(Judge, EveryPortableRedNamesTheInstructionSet) {
  EXPECT_THAT(verdict_on(with_more_operators().judge(), "operators_per_step").detail, HasSubstr("(isa avx2)"));
}

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

TEST(Judge, TakesTolerancesFromThePolicy) {
  ExampleCase example = with_more_operators();
  example.policy.exact_tolerance["operators_per_step"] = 2;
  EXPECT_EQ(name_of(verdict_on(example.judge(), "operators_per_step").reason), "within-limit");
  example.values.bytes["peak_allocated_bytes"] = {5000, 5000};
  example.policy.bytes_tolerance = 904;
  EXPECT_EQ(name_of(verdict_on(example.judge(), "peak_allocated_bytes").reason), "within-limit");
  example.values.numerics[0].grad_norm[0] = 1.51;
  example.policy.grad_norm_rtol = 0.01;
  EXPECT_EQ(name_of(verdict_on(example.judge(), "grad_norm").reason), "within-limit");
  example.values.numerics[0].loss[0] = 2.51;
  example.policy.loss_rtol = 0.01;
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss").reason), "within-limit");
  example.values.numerics[0].loss[20] = 99;
  example.policy.numeric_steps = 20;
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss").reason), "within-limit");
}

TEST(Judge, RefusesAPolicyOutOfRange) {
  ExampleCase example = example_case();
  for (const double alpha : {0.0, 1e-320, 0.6}) {
    example.policy.alpha = alpha;
    EXPECT_THROW(example.judge(), Error) << alpha;
  }
  example = example_case();
  example.policy.bytes_tolerance = INT64_MAX;
  EXPECT_THROW(example.judge(), Error) << "the limit would overflow";
}

TEST(Judge, RefusesASuiteWithoutHypotheses) {
  ExampleCase example = example_case();
  example.hypotheses = 0;
  EXPECT_THROW(example.judge(), Error);
  example.judge_timed = false;
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(Judge, CountsGatingTimedMetrics) { EXPECT_EQ(gating_timed_metrics_per_case(), 5); }

ExampleCase unavailable_case() {
  ExampleCase example = example_case();
  example.values.failures = {"exact replicate 0: ended with status 77"};
  example.values.unavailable = true;
  return example;
}

TEST(JudgeCase, SkipsWhatCannotRunHereAndNeverPassesIt) {
  ExampleCase example = unavailable_case();
  example.has_runner = false;
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::skipped);
  EXPECT_EQ(name_of(verdict.reason), "unavailable");
  EXPECT_TRUE(verdict.metrics.empty());
  example.values.beyond_machine = ReasonCode::too_few_gpus;
  EXPECT_EQ(name_of(example.judge().reason), "too-few-gpus") << "a runner that must measure may lack the second GPU";
  example.values.beyond_machine = ReasonCode::gpu_too_small;
  EXPECT_EQ(name_of(example.judge().reason), "gpu-too-small");
  EXPECT_EQ(example.judge().status, Status::skipped);
}

TEST(JudgeCase, ACaseThatOutgrewItsRunnerFails) {
  ExampleCase example = example_case();
  example.values.failures = {"exact replicate 0: this case needs about 49.8 GiB of GPU memory"};
  example.values.unavailable = true;
  example.values.beyond_machine = ReasonCode::gpu_too_small;
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::failed) << "a larger batch must not turn the case into a green skip";
  EXPECT_EQ(name_of(verdict.reason), "outgrew-machine");
  EXPECT_THAT(verdict.detail, testing::HasSubstr("49.8 GiB"));
}

TEST(JudgeCase, WhatABaselineOfThisRunnerClassHasIsNotSkipped) {
  ExampleCase example = unavailable_case();
  EXPECT_EQ(example.judge().status, Status::failed) << "a change may have taken away what the case needs";
  EXPECT_EQ(name_of(example.judge().reason), "no-longer-available");
  EXPECT_THAT(example.judge().detail, HasSubstr("ended with status 77; the case ran on this runner class before"));
  example.has_runner = false;
  example.device = Device::cuda;
  example.device_exact = example.portable;
  EXPECT_EQ(example.judge().status, Status::failed);
}

TEST(JudgeCase, WhatTheBaseBuildRanIsNotSkipped) {
  ExampleCase example = unavailable_case();
  example.has_runner = false;
  example.base_ran = true;
  EXPECT_EQ(name_of(example.judge().reason), "no-longer-available");
  example.values.beyond_machine = ReasonCode::too_few_gpus;
  EXPECT_EQ(name_of(example.judge().reason), "outgrew-machine");
}

}  // namespace
}  // namespace stepgate
