#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

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

TEST(Judge, AHalfWithoutABaselineIsNoPassBesideOneThatPasses) {
  for (const bool exact : {false, true}) {
    ExampleCase example = example_case();
    ASSERT_EQ(example.judge().status, Status::pass);
    (exact ? example.has_portable : example.has_runner) = false;
    EXPECT_EQ(example.judge().status, Status::no_baseline);
  }
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

/// A CPU computes them, and no count depends on which.
TEST(Judge, LossesOfAnEmulatedGpuAreComparedOnTheSameInstructionSetsOnly) {
  ExampleCase example = on_gpu(example_case());
  example.judge_timed = false;
  example.device_exact->numerics->key = {{"isa", "avx2"}};
  EXPECT_EQ(example.judge().status, Status::pass);
  example.values.exact_fingerprint["default_dtype"] = "float64";
  EXPECT_EQ(verdict_on(example.judge(), "loss").status, Status::pass) << "the key of the whole file compares it";
  example.values.exact_fingerprint["isa"] = "avx512";
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::no_baseline);
  for (const char* metric : {"loss", "grad_norm"}) {
    EXPECT_EQ(name_of(verdict_on(verdict, metric).reason), "incompatible-baseline") << metric;
    EXPECT_THAT(verdict_on(verdict, metric).detail, HasSubstr("isa: baseline 'avx2', here 'avx512'")) << metric;
  }
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").status, Status::pass);
  EXPECT_EQ(verdict_on(verdict, "peak_allocated_bytes").status, Status::pass);
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

}  // namespace
}  // namespace stepgate
