#include "report/gate/finding_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/ci/github_report.h"
#include "report/ci/junit_report.h"
#include "report/gate/console_report.h"
#include "report/markdown/markdown_report.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const SourceFrame forward_line{"CharLm::forward", "perf/char_lm.cpp", 61};
const SourceFrame loss_line{"CharLm::loss", "perf/char_lm.cpp", 70};

Finding item_added() {
  return {.code = FindingCode::host_sync_added,
          .severity = Severity::cause,
          .message = "forward: +1 aten::item at perf/char_lm.cpp:61 in CharLm::forward per step",
          .advice = "",
          .metric = "",
          .sources = {forward_line, loss_line}};
}

Outcome red_with_lines() {
  Outcome outcome = regressed_exact();
  outcome.findings = {item_added()};
  return outcome;
}

TEST(FindingSources, OnlyLinesThatTheMessageDoesNotNameAreAdded) {
  EXPECT_EQ(further_sources(item_added()), "at perf/char_lm.cpp:70 in CharLm::loss");
  Finding without_line = item_added();
  without_line.sources = {{"CharLm::forward"}};
  without_line.message = "work";
  EXPECT_EQ(further_sources(without_line), "in CharLm::forward");
  without_line.sources.clear();
  EXPECT_EQ(further_sources(without_line), "");
}

TEST(FindingSources, EveryReportNamesTheLines) {
  const RunReport report = report_of({red_with_lines()});
  for (const std::string& text :
       {render_console(report, {.width = 140}), render_markdown(report, {}), render_junit(report, {})}) {
    EXPECT_THAT(text, HasSubstr("char_lm.cpp:61 in CharLm::forward")) << text;
    EXPECT_THAT(text, HasSubstr("char_lm.cpp:70 in CharLm::loss")) << text;
  }
}

TEST(FindingSources, AnnotationsStandAtTheLineOfTheCode) {
  EXPECT_THAT(render_github(report_of({red_with_lines()}), {}),
              StartsWith("::error file=perf/char_lm.cpp,line=61,title="));
  EXPECT_THAT(render_junit(report_of({red_with_lines()}), {}), HasSubstr("file=\"perf/char_lm.cpp\""));
}

TEST(FindingSources, ALineOfAnotherMetricOrOutsideTheRepositoryIsNoPlaceForAnAnnotation) {
  Outcome outcome = red_with_lines();
  outcome.findings[0].metric = "another_metric";
  EXPECT_THAT(render_github(report_of({outcome}), {}), Not(HasSubstr("file=perf")));
  outcome = red_with_lines();
  outcome.findings[0].sources = {{"f", "/home/jane/model.cpp", 7}, {"f", "../model.cpp", 7}, {"CharLm::forward"}};
  EXPECT_EQ(line_behind(outcome, ""), nullptr);
  EXPECT_THAT(render_github(report_of({outcome}), {}), Not(HasSubstr("model.cpp,line=")));
  outcome.findings[0].sources.push_back(loss_line);
  ASSERT_NE(line_behind(outcome, ""), nullptr);
  EXPECT_EQ(line_behind(outcome, "")->line, 70);
}

}  // namespace
}  // namespace stepgate
