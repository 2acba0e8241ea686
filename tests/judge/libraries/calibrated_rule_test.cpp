#include "judge/libraries/calibrated_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/kernels/launch_name.h"
#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* judged_sum = "kernels_per_step";
constexpr const char* small_product = "aten::mm(float32[8, 64], float32[64, 4])";
constexpr const char* large_product = "aten::mm(float32[8, 96], float32[96, 4])";

/// On that GPU the small product is 1 kernel, the large one 3.
LibraryCalibration products_of_h100() {
  return {.source = "h100.json",
          .gpu = "NVIDIA H100 80GB HBM3",
          .cuda_runtime = "12.4",
          .cuda_driver = "",
          .calls = {{small_product, {.calls = 2, .kernels = {1, 1}, .memsets = {0, 0}}},
                    {large_product, {.calls = 2, .kernels = {3, 3}, .memsets = {1, 1}}}},
          .left_out = {}};
}

struct CalibratedCase {
  std::int64_t own_before = 20;
  std::int64_t own_now = 20;
  std::string call_before = small_product;
  std::string call_now = small_product;
  std::int64_t tolerance = 0;
  std::optional<LibraryCalibration> calibration = products_of_h100();

  /// 8 steps, with one library call in each, which is one kernel on the emulated GPU.
  static void fill(std::map<std::string, std::vector<std::int64_t>>& steps, std::int64_t own) {
    steps[judged_sum] = std::vector<std::int64_t>(8, own + 1);
    steps[std::string(own_kernels_metric)] = std::vector<std::int64_t>(8, own);
    steps[std::string(library_calls_metric)] = std::vector<std::int64_t>(8, 1);
  }

  CaseVerdict judge() const {
    ExampleCase example = example_case();
    Baseline baseline = example.portable;
    baseline.scope = Scope::device;
    fill(baseline.exact, own_before);
    baseline.device_calls[std::string(library_calls_metric)]["forward"] = {{call_before, 8}};
    fill(example.values.counts.per_step, own_now);
    for (const auto& [metric, steps] : example.values.counts.per_step) example.values.exact[metric] = {steps, steps};
    example.values.counts.device_calls[std::string(library_calls_metric)]["forward"] = {{call_now, 8}};
    if (tolerance > 0) example.policy.exact_tolerance[judged_sum] = tolerance;
    return judge_case({.current = example.values,
                       .exact = baseline,
                       .policy = example.policy,
                       .judge_timed = false,
                       .device = Device::cuda,
                       .today = example.today,
                       .calibration = calibration});
  }
  MetricVerdict sum() const { return verdict_on(judge(), judged_sum); }
};

TEST(CalibratedRule, JudgesTheSumAtOtherShapes) {
  const MetricVerdict red = CalibratedCase{.call_now = large_product}.sum();
  EXPECT_EQ(red.status, Status::regressed);
  EXPECT_EQ(name_of(red.reason), "above-limit");
  EXPECT_EQ(red.baseline, 21);
  EXPECT_EQ(red.current, 23);
  EXPECT_THAT(red.detail, HasSubstr("21 -> 23 per step, calibrated by h100.json (NVIDIA H100 80GB HBM3, CUDA 12.4)"));
  const MetricVerdict better = CalibratedCase{.call_before = large_product}.sum();
  EXPECT_EQ(better.status, Status::improved);
  EXPECT_EQ(name_of(better.reason), "below-baseline");
}

TEST(CalibratedRule, KeepsTheToleranceOfThePolicy) {
  const MetricVerdict within = CalibratedCase{.call_now = large_product, .tolerance = 2}.sum();
  EXPECT_EQ(name_of(within.reason), "within-limit");
  const MetricVerdict above = CalibratedCase{.call_now = large_product, .tolerance = 1}.sum();
  EXPECT_EQ(above.status, Status::regressed);
}

TEST(CalibratedRule, EqualSumsOfOtherShapesPass) {
  LibraryCalibration calibration = products_of_h100();
  calibration.calls[large_product].kernels = {1, 1};
  const MetricVerdict equal = CalibratedCase{.call_now = large_product, .calibration = calibration}.sum();
  EXPECT_EQ(equal.status, Status::pass);
  EXPECT_EQ(name_of(equal.reason), "equal");
}

/// With equal library calls the rule without a calibration decides; it looks at each step.
TEST(CalibratedRule, NeverTurnsARedGreen) {
  const CaseVerdict red = CalibratedCase{.own_now = 21}.judge();
  EXPECT_EQ(red.status, Status::regressed);
  EXPECT_EQ(verdict_on(red, judged_sum).status, Status::regressed);
  const CaseVerdict own = CalibratedCase{.own_now = 21, .call_before = large_product}.judge();
  EXPECT_EQ(verdict_on(own, judged_sum).status, Status::improved) << "22 kernels after 23";
  EXPECT_EQ(verdict_on(own, std::string(own_kernels_metric)).status, Status::regressed);
  EXPECT_EQ(own.status, Status::regressed) << "own kernels gate whatever the libraries start";
}

TEST(CalibratedRule, ShowsTheSumOfThatGpuAtEqualShapesToo) {
  const MetricVerdict verdict = CalibratedCase{.call_before = large_product, .call_now = large_product}.sum();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(verdict.current, 23);
  EXPECT_THAT(verdict.detail, HasSubstr("; 23 -> 23 per step, calibrated by h100.json"));
}

TEST(CalibratedRule, LeavesTheSumOpenWhereACallIsMissing) {
  LibraryCalibration calibration = products_of_h100();
  calibration.calls.erase(large_product);
  const MetricVerdict verdict = CalibratedCase{.call_now = large_product, .calibration = calibration}.sum();
  EXPECT_EQ(verdict.status, Status::not_judged);
  EXPECT_EQ(name_of(verdict.reason), "library-shapes-differ");
  EXPECT_THAT(verdict.detail, HasSubstr("; not calibrated by h100.json"));
  EXPECT_THAT(verdict.detail, HasSubstr("1 library call is not in it"));
  calibration = products_of_h100();
  calibration.calls[large_product].kernels = {1, 3};
  EXPECT_EQ(CalibratedCase({.call_now = large_product, .calibration = calibration}).sum().status, Status::not_judged)
      << "a call that starts 1 to 3 kernels says nothing";
}

TEST(CalibratedRule, WithoutACalibrationNothingChanges) {
  const MetricVerdict verdict = CalibratedCase{.call_now = large_product, .calibration = std::nullopt}.sum();
  EXPECT_EQ(name_of(verdict.reason), "library-shapes-differ");
  EXPECT_EQ(verdict.current, 21);
}

}  // namespace
}  // namespace stepgate
