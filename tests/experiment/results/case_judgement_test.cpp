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
  Comparison comparison{.current = counted_on_gpu(), .judge_timed = false, .device = Device::cuda};
  comparison.exact = stored(Scope::device, {{"gpu", "H200"},
                                            {"gpu_driver_major", "580"},
                                            {"gpu_memory_bytes", "150754820096"},
                                            {"device", "cuda"},
                                            {"exact_steps", "counts=2"},
                                            {"tf32_cudnn", "on"}});
  comparison.exact->exact = {{"kernels_per_step", {26, 26}}};
  comparison.runner = stored(Scope::runner, {{"gpu", "H200"}, {"cpu_model", "Xeon"}, {"timed_steps", "e2e=60"}});
  comparison.runner->sessions = {{"2026-11-20T10:00:00Z", 1795168800, "abc", {{"step_time_ns", {1e7}}}}};
  return comparison;
}

TEST(CaseJudgement, TheExactTestOfAGpuCaseIsComparedBesideAStoredSession) {
  Comparison comparison = exact_test();
  JudgedComparison judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::pass) << judged.verdict.detail;
  comparison.current.exact["kernels_per_step"] = {{27, 27}};
  judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::regressed);
}

TEST(CaseJudgement, AFactOfTheGpuThatOnlyOneSideKnowsIsADifference) {
  Comparison comparison = exact_test();
  comparison.current.exact_fingerprint["cudnn"] = "91300";
  JudgedComparison judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::no_baseline);
  ASSERT_EQ(judged.exact_mismatches.size(), 1U);
  EXPECT_EQ(judged.exact_mismatches[0].key, "cudnn");
  EXPECT_EQ(judged.exact_mismatches[0].expected, "");
  EXPECT_THAT(judged.verdict.detail, HasSubstr("cudnn: baseline '(unknown)', here '91300'"));

  comparison = exact_test();
  comparison.current.exact_fingerprint.erase("gpu_memory_bytes");
  judged = judge(comparison);
  ASSERT_EQ(judged.exact_mismatches.size(), 1U);
  EXPECT_EQ(judged.exact_mismatches[0].found, "");
}

TEST(CaseJudgement, TheMemoryOfOneKindOfGpuDiffersByItsDriver) {
  Comparison comparison = exact_test();
  comparison.exact->key["gpu_memory_bytes"] = "85045477376";
  comparison.current.exact_fingerprint["gpu_memory_bytes"] = "85017755648";
  JudgedComparison judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::pass) << judged.verdict.detail;
  comparison.current.exact_fingerprint["gpu_memory_bytes"] = "42949672960";
  judged = judge(comparison);
  EXPECT_EQ(name_of(judged.verdict.reason), "incompatible-baseline");
}

/// Beside a reference case that stands still.
std::map<std::string, std::vector<double>> times_of(double step_ns) {
  return {{"step_time_ns", {step_ns, step_ns, step_ns}}, {"reference_step_ns", {5e6, 5e6, 5e6}}};
}

/// A case on a GPU with five sessions that the same times were stored in.
Comparison timed_test() {
  Comparison comparison = exact_test();
  comparison.judge_exact = false;
  comparison.judge_timed = true;
  comparison.runner->key = {{"device", "cuda"}, {"gpu_driver", "580.65.06"}, {"gpu_power_limit_w", "700"}};
  comparison.runner->sessions.clear();
  for (std::int64_t day = 0; day < 5; ++day) {
    comparison.runner->sessions.push_back({"", day * 86400, "abc", times_of(1e7)});
  }
  comparison.current.timed = times_of(1e7);
  comparison.current.clean_timed = 3;
  comparison.current.timed_fingerprint = comparison.runner->key;
  return comparison;
}

TEST(CaseJudgement, AnotherDriverOrPowerLimitLeavesStoredTimesUndecided) {
  Comparison comparison = timed_test();
  JudgedComparison judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::pass) << judged.verdict.detail;
  comparison.current.timed_fingerprint["gpu_driver"] = "580.95.05";
  comparison.current.timed_fingerprint["gpu_power_limit_w"] = "500";
  judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(judged.verdict.reason), "conditions-changed");
  EXPECT_THAT(judged.verdict.detail, HasSubstr("gpu_driver was 580.65.06, is 580.95.05; gpu_power_limit_w was 700"));
  EXPECT_THAT(judged.verdict.detail, HasSubstr("10.0 ms -> 10.0 ms")) << "the figures are shown";
  comparison.current.timed = times_of(3e7);
  judged = judge(comparison);
  EXPECT_EQ(name_of(judged.verdict.reason), "conditions-changed") << "nor is it red";
  comparison.current.timed_fingerprint["device"] = "cpu";
  comparison.runner->key["device"] = "cpu";
  comparison.current.timed = times_of(1e7);
  judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::pass) << "a case on the CPU does not use the driver";
}

TEST(CaseJudgement, AFactThatAnOlderBaseBuildDoesNotRecordIsNoDifference) {
  Comparison comparison = exact_test();
  comparison.reference = PairedReference{.holds_exact = true};
  comparison.current.exact_fingerprint["cudnn"] = "91300";
  JudgedComparison judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::pass) << judged.verdict.detail;
  comparison.current.exact_fingerprint["gpu"] = "H100";
  judged = judge(comparison);
  EXPECT_EQ(judged.verdict.status, Status::no_baseline);
}

}  // namespace
}  // namespace stepgate
