#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "diagnose/diagnose.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::IsEmpty;

TEST(EnvironmentDrift, NamesEveryFactThatDiffers) {
  SampleCase sample;
  sample.current.exact_fingerprint = {{"isa", "AVX512"}};
  const auto findings = explain_environment(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "portable baseline: isa was AVX2, is AVX512; torch was 2.11.0, is unknown");
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

TEST(EnvironmentDrift, OfAGpuNamesWhatTheKeysDifferInAndHowAnUnknownFactBecomesKnown) {
  SampleCase sample;
  JudgedComparison input = sample.input();
  input.device = Device::cuda;
  input.exact->scope = Scope::device;
  input.exact_mismatches = {{"gpu_driver_major", "580", "590"}, {"tf32_matmul", "off", ""}, {"cudnn", "", "9"}};
  const auto findings = explain_environment(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(
      findings[0].message,
      "device baseline: gpu_driver_major was 580, is 590; tf32_matmul was off, is unknown; cudnn was unknown, is 9");
  EXPECT_THAT(findings[0].advice, testing::HasSubstr("build the program anew"));
}

TEST(EnvironmentDrift, IsTheCauseWhereThereIsNoComparableBaseline) {
  SampleCase sample;
  sample.current.timed_fingerprint["gpu"] = "H100";
  sample.verdict.status = Status::no_baseline;
  EXPECT_EQ(explain_environment(sample.input())[0].severity, Severity::cause);
}

TEST(EnvironmentDrift, SaysNothingWhereFactsHoldOrBaselinesLack) {
  SampleCase sample;
  EXPECT_THAT(explain_environment(sample.input()), IsEmpty());
  sample.current.exact_fingerprint["isa"] = "AVX512";
  JudgedComparison input = sample.input();
  input.exact.reset();
  EXPECT_THAT(explain_environment(input), IsEmpty());
}

TEST(EnvironmentDrift, AHalfThatWasNotMeasuredHasNoFacts) {
  SampleCase sample;
  sample.current.timed.clear();
  sample.current.timed_fingerprint = {{"cpu_model", "EPYC"}};  // the facts that the launcher has without any replicate
  EXPECT_THAT(explain_environment(sample.input()), IsEmpty());
}

TEST(EnvironmentDrift, NamesFactsOfTheGpuThatAnOlderBaselineLacks) {
  SampleCase sample;
  sample.current.timed_fingerprint["gpu_power_limit_w"] = "700";
  const auto findings = explain_environment(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "facts-not-compared");
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_EQ(findings[0].message,
            "the runner baseline does not say under which gpu_power_limit_w (700) it was measured");
}

TEST(EnvironmentDrift, SaysWhatLeavesStoredTimesUndecided) {
  SampleCase sample;
  sample.runner.key["gpu_driver"] = "580.65.06";
  sample.current.timed_fingerprint["gpu_driver"] = "580.95.05";
  sample.verdict.status = Status::inconclusive;
  const auto findings = explain_environment(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "environment-differs");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message, "since the stored sessions gpu_driver was 580.65.06, is 580.95.05");
  EXPECT_THAT(findings[0].advice, testing::HasSubstr("--base-build DIR"));
}

TEST(EnvironmentDrift, WarnsOfAToolInsideTheProcess) {
  SampleCase sample;
  sample.current.timed_fingerprint["injected_tools"] = "CUDA_INJECTION64_PATH";
  const auto findings = explain_environment(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "tool-inside-process");
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

TEST(EnvironmentDrift, ASettingOfTheProgramIsTheCauseAndNoOtherCondition) {
  SampleCase sample;
  JudgedComparison input = sample.input();
  input.exact_mismatches = {{"default_dtype", "float32", "float64"}};
  input.current.exact_fingerprint["default_dtype"] = "float64";
  const auto findings = explain_environment(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "program-changed-setting");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message, "the program changed default_dtype from float32 to float64");
}

/// The base ran with oneDNN, and the head switched it off.
SampleCase with_a_switch_off() {
  SampleCase sample;
  sample.portable.switches = {{"mkldnn_enabled", "on"}, {"sdp_math", "on"}};
  sample.current.exact_fingerprint["mkldnn_enabled"] = "off";
  sample.current.exact_fingerprint["flush_denormal"] = "on";
  return sample;
}

TEST(EnvironmentDrift, ASwitchThatChangedIsTheFirstCauseBesideARed) {
  SampleCase sample = with_a_switch_off();
  sample.current.counts.operators["forward"]["aten::_slow_conv2d_forward"] = 4;
  sample.red("operators_per_step");
  const auto findings = diagnose(sample.input());
  ASSERT_GE(findings.size(), 2U);
  EXPECT_EQ(name_of(findings[0].code), "program-changed-setting");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message, "the program changed mkldnn_enabled from on to off")
      << "what only one side recorded is not compared";
  EXPECT_EQ(name_of(findings[1].code), "operator-added");
}

TEST(EnvironmentDrift, ASwitchThatChangedIsANoteOnGreen) {
  const auto findings = explain_environment(with_a_switch_off().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
}

TEST(EnvironmentDrift, SwitchesOfTheHalfThatIsJudgedCount) {
  SampleCase sample = with_a_switch_off();
  JudgedComparison input = sample.input();
  input.judge_exact = false;
  EXPECT_THAT(explain_environment(input), IsEmpty());
  input.current.timed_fingerprint["deterministic_algorithms"] = "on";
  input.runner->switches["deterministic_algorithms"] = "off";
  EXPECT_EQ(explain_environment(input).at(0).message, "the program changed deterministic_algorithms from off to on");
  input.reference = PairedReference{.pairs = PairedValues{}, .switches = {{"deterministic_algorithms", "on"}}};
  EXPECT_THAT(explain_environment(input), IsEmpty()) << "the base build of the pairs has it too";
}

}  // namespace
}  // namespace stepgate
