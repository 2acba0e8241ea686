#include "diagnose/diagnose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Diagnose, HasNothingToSayAboutAnUnchangedCase) {
  SampleCase sample;
  EXPECT_THAT(diagnose(sample.input()), IsEmpty());
}

TEST(Diagnose, PutsCausesBeforeWarningsBeforeNotes) {
  SampleCase sample;
  sample.current.counts.operators["forward"].erase("aten::view");        // a note
  sample.current.tainted = 1;                                            // a warning
  sample.current.counts.operators["optimizer"]["aten::contiguous"] = 4;  // a cause
  sample.red("operators_per_step");
  const auto findings = diagnose(sample.input());
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("optimizer"));
  EXPECT_EQ(findings[1].severity, Severity::warning);
  EXPECT_EQ(findings[2].severity, Severity::note);
}

TEST(Diagnose, EveryRedHasACause) {
  for (const Metric& metric : metric_catalogue()) {
    if (!metric.gates) continue;
    SampleCase sample;
    sample.red(std::string(metric.name)).detail = "12 -> 13";
    const auto findings = diagnose(sample.input());
    ASSERT_FALSE(findings.empty()) << metric.name;
    EXPECT_EQ(findings[0].severity, Severity::cause) << metric.name;
    EXPECT_THAT(findings[0].message, HasSubstr("12 -> 13")) << metric.name;
  }
}

TEST(Diagnose, WorksWithoutAnyBaseline) {
  SampleCase sample;
  sample.red("step_time_ns").detail = "base build 10 ms, head build 12 ms";
  JudgedComparison input = sample.input();
  input.exact.reset();
  input.runner.reset();
  EXPECT_EQ(name_of(diagnose(input)[0].code), "unexplained");
}

TEST(Diagnose, LeavesTheVerdictAlone) {
  SampleCase sample;
  sample.red("loss");
  sample.current.numerics[0].loss[0] = 9;
  diagnose(sample.input());
  EXPECT_EQ(sample.verdict.status, Status::regressed);
  EXPECT_EQ(sample.verdict.metrics.size(), 1U);
}

}  // namespace
}  // namespace stepgate
