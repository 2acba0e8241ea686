#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Operators are waived until the end of 2026; today is 2026-11-21.
JudgedComparison waived_case(const SampleCase& sample) {
  JudgedComparison input = sample.input();
  input.today = "2026-11-21";
  input.policy.waivers = {{.case_name = "suite/case",
                           .metric = "operators_per_step",
                           .owner = "grace",
                           .until = "2026-12-31",
                           .reason = "new optimizer"}};
  return input;
}

SampleCase excused_case() {
  SampleCase sample;
  MetricVerdict& verdict = sample.judged("operators_per_step", Status::pass);
  verdict.reason = ReasonCode::waived;
  verdict.detail = "waived by grace until 2026-12-31 (new optimizer): 20 -> 120 per step";
  verdict.gating = false;
  return sample;
}

TEST(WaiverNotice, AGreenCaseNamesTheWaiverThatItRestsOn) {
  const auto findings = diagnose(waived_case(excused_case()));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "waiver");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_EQ(findings[0].metric, "operators_per_step");
  EXPECT_EQ(findings[0].message, "operators: waived by grace until 2026-12-31 (new optimizer): 20 -> 120 per step");
}

TEST(WaiverNotice, AWaiverWithoutARegressionIsToBeRemoved) {
  SampleCase sample;
  sample.judged("operators_per_step", Status::pass);
  const auto findings = name_waivers(waived_case(sample));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "operators: may regress until 2026-12-31 by the waiver of grace (new optimizer)");
  EXPECT_THAT(findings[0].advice, HasSubstr("remove the waiver"));
}

TEST(WaiverNotice, TheVerdictThatIsExcusedCounts) {
  SampleCase sample = excused_case();
  MetricVerdict other = sample.verdict.metrics.front();
  other.reason = ReasonCode::within_limit;
  other.detail = "";
  sample.verdict.metrics.insert(sample.verdict.metrics.begin(), other);
  EXPECT_THAT(name_waivers(waived_case(sample))[0].message, HasSubstr("20 -> 120"));
}

TEST(WaiverNotice, SaysNothingOfOtherCasesEndedWaiversAndTheOtherHalf) {
  const SampleCase sample = excused_case();
  JudgedComparison other_case = waived_case(sample);
  other_case.policy.waivers[0].case_name = "suite/other";
  EXPECT_THAT(name_waivers(other_case), IsEmpty());
  JudgedComparison ended = waived_case(sample);
  ended.policy.waivers[0].until = "2026-11-20";
  EXPECT_THAT(name_waivers(ended), IsEmpty());
  JudgedComparison other_half = waived_case(sample);
  other_half.policy.waivers[0].metric = "step_time_ns";
  EXPECT_THAT(name_waivers(other_half), IsEmpty());
}

}  // namespace
}  // namespace stepgate
