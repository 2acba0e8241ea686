#include "diagnose/reproducibility/environment_drift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  Comparison input = sample.input();
  input.portable.reset();
  EXPECT_THAT(explain_environment(input), IsEmpty());
}

TEST(EnvironmentDrift, AHalfThatWasNotMeasuredHasNoFacts) {
  SampleCase sample;
  sample.current.timed.clear();
  sample.current.timed_fingerprint = {{"cpu_model", "EPYC"}};  // the facts that the launcher has without any replicate
  EXPECT_THAT(explain_environment(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
