#include "report/gate/shared_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/gate/console_report.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Outcome exact_only(const char* name) {
  Outcome outcome = passing_exact();
  outcome.verdict.case_name = name;
  outcome.findings = {{.code = FindingCode::times_not_gated,
                       .severity = Severity::note,
                       .message = "timed tier: not gated",
                       .advice = "",
                       .metric = ""}};
  return outcome;
}

TEST(SharedObservations, WhatSeveralCasesHaveIsSaidOnce) {
  const RunReport report = report_of({exact_only("a/b/tiny"), exact_only("c/d/tiny"), passing_timed()});
  const auto shared = shared_observations(report);
  ASSERT_EQ(shared.size(), 1U);
  EXPECT_EQ(shared_text(shared[0]), "2 cases: timed tier: not gated");
  EXPECT_THAT(shared[0].cases, ElementsAre("a/b/tiny", "c/d/tiny"));
  const std::string text = render_console(report, {.width = 120});
  EXPECT_THAT(text, HasSubstr("2 cases: timed tier: not gated"));
  EXPECT_THAT(text, HasSubstr("a/b/tiny, c/d/tiny"));
  EXPECT_EQ(text.find("timed tier"), text.rfind("timed tier")) << text;
}

TEST(SharedObservations, OneCaseSaysItItself) {
  const RunReport report = report_of({exact_only("a/b/tiny"), passing_timed()});
  EXPECT_TRUE(shared_observations(report).empty());
  EXPECT_THAT(render_console(report, {.width = 120}), Not(HasSubstr("cases: timed tier")));
  EXPECT_THAT(render_console(report, {.width = 120}), HasSubstr("timed tier: not gated"));
}

}  // namespace
}  // namespace stepgate
