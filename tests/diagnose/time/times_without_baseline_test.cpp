#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SampleCase without_baseline(const std::string& metric) {
  SampleCase sample;
  MetricVerdict& made = sample.judged(metric, Status::no_baseline);
  made.gating = true;
  made.reason = ReasonCode::no_baseline;
  return sample;
}

TEST(TimesWithoutBaseline, ASecondBuildDecidesThemToday) {
  SampleCase sample = without_baseline("step_time_ns");
  sample.verdict.metrics.push_back(sample.verdict.metrics.front());
  const auto findings = explain_times_without_baseline(sample.input());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].advice, HasSubstr("ci/perf --against main"));
  EXPECT_THAT(findings[0].advice, HasSubstr("--base-build"));
  EXPECT_THAT(diagnose(sample.input()), SizeIs(1)) << "it is one of the questions";
}

TEST(TimesWithoutBaseline, CountsAndJudgedTimesNeedNoSecondBuild) {
  EXPECT_THAT(explain_times_without_baseline(without_baseline("operators_per_step").input()), IsEmpty());
  SampleCase judged = without_baseline("step_time_ns");
  judged.verdict.metrics.front().reason = VerdictReason::named("unchanged");
  EXPECT_THAT(explain_times_without_baseline(judged.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
