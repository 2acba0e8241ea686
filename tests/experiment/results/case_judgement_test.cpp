// Which key a half of a case is compared under.
#include "experiment/results/case_judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace stepgate {
namespace {

using testing::HasSubstr;

/// What the exact test of a CUDA case has measured: no timed process ran, so nothing says `timed_steps`.
CaseValues counted_on_gpu() {
  CaseValues values;
  values.case_name = "vision/digits_cnn/full";
  values.exact = {{"kernels_per_step", {{26, 26}}}};
  values.clean_exact = 1;
  values.exact_fingerprint = {{"gpu", "H200"},     {"gpu_driver", "580.65.06"}, {"gpu_memory_bytes", "150754820096"},
                              {"device", "cuda"},  {"exact_steps", "counts=2"}, {"cpu_model", "EPYC 9654"},
                              {"tf32_cudnn", "on"}};
  values.timed_fingerprint = {{"cpu_model", "EPYC 9654"}, {"gpu_driver", "580.65.06"}};
  return values;
}

Baseline stored(Scope scope, Fingerprint key) {
  Baseline baseline;
  baseline.case_name = "vision/digits_cnn/full";
  baseline.scope = scope;
  baseline.runner_class = "h200";
  baseline.key = std::move(key);
  return baseline;
}

/// The case after its first accept, on another host with the same GPU.
Comparison exact_test() {
  Comparison comparison{.current = counted_on_gpu(), .judge_timed = false, .device = "cuda"};
  comparison.device_exact = stored(Scope::device, {{"gpu", "H200"},
                                                   {"gpu_driver_major", "580"},
                                                   {"gpu_memory_bytes", "150754820096"},
                                                   {"device", "cuda"},
                                                   {"exact_steps", "counts=2"},
                                                   {"tf32_cudnn", "on"}});
  comparison.device_exact->exact = {{"kernels_per_step", {26, 26}}};
  comparison.runner = stored(Scope::runner, {{"gpu", "H200"}, {"cpu_model", "Xeon"}, {"timed_steps", "e2e=60"}});
  comparison.runner->sessions = {{"2026-11-20T10:00:00Z", 1795168800, "abc", {{"step_time_ns", {1e7}}}}};
  return comparison;
}

TEST(CaseJudgement, TheExactTestOfAGpuCaseIsComparedBesideAStoredSession) {
  Comparison comparison = exact_test();
  judge(comparison);
  EXPECT_EQ(comparison.verdict.status, Status::pass) << comparison.verdict.detail;
  comparison.current.exact["kernels_per_step"] = {{27, 27}};
  judge(comparison);
  EXPECT_EQ(comparison.verdict.status, Status::regressed);
}

TEST(CaseJudgement, AFactOfTheGpuThatOnlyOneSideKnowsIsADifference) {
  Comparison comparison = exact_test();
  comparison.current.exact_fingerprint["cudnn"] = "91300";
  judge(comparison);
  EXPECT_EQ(comparison.verdict.status, Status::no_baseline);
  ASSERT_EQ(comparison.device_exact_mismatches.size(), 1U);
  EXPECT_EQ(comparison.device_exact_mismatches[0].key, "cudnn");
  EXPECT_EQ(comparison.device_exact_mismatches[0].expected, "");
  EXPECT_THAT(comparison.verdict.detail, HasSubstr("cudnn: baseline '(unknown)', here '91300'"));

  comparison = exact_test();
  comparison.current.exact_fingerprint.erase("gpu_memory_bytes");
  judge(comparison);
  ASSERT_EQ(comparison.device_exact_mismatches.size(), 1U);
  EXPECT_EQ(comparison.device_exact_mismatches[0].found, "");
}

TEST(CaseJudgement, AFactThatAnOlderBaseBuildDoesNotRecordIsNoDifference) {
  Comparison comparison = exact_test();
  comparison.measured_reference = true;
  comparison.current.exact_fingerprint["cudnn"] = "91300";
  judge(comparison);
  EXPECT_EQ(comparison.verdict.status, Status::pass) << comparison.verdict.detail;
  comparison.current.exact_fingerprint["gpu"] = "H100";
  judge(comparison);
  EXPECT_EQ(comparison.verdict.status, Status::no_baseline);
}

}  // namespace
}  // namespace stepgate
