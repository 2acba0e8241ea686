#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "judge/example_case.h"
#include "judge/verdict/gating_metrics.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

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
  ExampleCase on_broken_gpu = example;
  on_broken_gpu.values.infrastructure = true;
  EXPECT_EQ(name_of(on_broken_gpu.judge().reason), "infrastructure") << "a fault of the GPU, twice";
  EXPECT_EQ(verdict_on(verdict, "operators_per_step").status, Status::regressed);
  example.values.infrastructure = true;
  EXPECT_EQ(name_of(example.judge().reason), "infrastructure") << "a fault of the GPU, twice";
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

TEST(Judge, CountsGatingTimedMetrics) {
  EXPECT_EQ(gating_timed_metrics_per_case(Device::cpu), 5);
  EXPECT_EQ(gating_timed_metrics_per_case(Device::cuda), 6) << "the time of the device";
}

}  // namespace
}  // namespace stepgate
