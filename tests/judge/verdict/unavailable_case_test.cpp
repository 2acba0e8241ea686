#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

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

TEST(JudgeCase, CountsOfOneWayOfSeveralAreNotJudged) {
  ExampleCase example = example_case();
  example.values.failures = {"exact replicate 0: other work follows other numbers: aten::nonzero"};
  example.values.needs_values = true;
  example.has_runner = false;
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "needs-values");
  EXPECT_THAT(verdict.detail, HasSubstr("aten::nonzero"));
  EXPECT_TRUE(verdict.metrics.empty());
}

TEST(JudgeCase, AChangeAfterWhichCountsSayNothingFails) {
  ExampleCase example = example_case();
  example.values.failures = {"exact replicate 0: other work follows other numbers: aten::nonzero"};
  example.values.needs_values = true;
  EXPECT_EQ(example.judge().status, Status::failed);
  EXPECT_EQ(name_of(example.judge().reason), "needs-values");
  EXPECT_THAT(example.judge().detail, HasSubstr("was counted on this runner class before"));
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
