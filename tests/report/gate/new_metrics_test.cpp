#include "report/gate/new_metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "report/ci/github_report.h"
#include "report/ci/junit_report.h"
#include "report/gate/console_report.h"
#include "report/markdown/markdown_report.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The exact and the timed half of one case, and another case: all measure a metric without a baseline.
RunReport two_cases() {
  Outcome other = passing_with_new_metric();
  other.verdict.case_name = "tabular/linear/other";
  other.accept_command = "stepgate baseline accept tabular/linear/other --reason \"...\"";
  return report_of({passing_with_new_metric(), passing_with_new_metric(), other});
}

std::size_t times_in(const std::string& text, const std::string& what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

TEST(NewMetrics, AreListedOnceWithTheCommandThatAcceptsThem) {
  EXPECT_EQ(new_metrics(report_of({passing_with_new_metric()})).list, "host syncs (tabular/linear/sparse)");
  const NewMetrics found = new_metrics(two_cases());
  EXPECT_EQ(found.list, "host syncs (2 cases)");
  EXPECT_THAT(found.commands,
              ElementsAre("stepgate baseline accept tabular/linear/sparse tabular/linear/other --reason \"...\""));
}

TEST(NewMetrics, CommandsWithOtherOptionsStayApart) {
  RunReport report = two_cases();
  report.outcomes.back().accept_command = "stepgate baseline accept tabular/linear/other --tier exact --reason \"...\"";
  EXPECT_THAT(new_metrics(report).commands,
              ElementsAre("stepgate baseline accept tabular/linear/sparse --reason \"...\"",
                          "stepgate baseline accept tabular/linear/other --tier exact --reason \"...\""));
}

/// So many cases that pass, one that is red, and one that a waiver lets pass.
RunReport many_cases(int passing) {
  std::vector<Outcome> outcomes;
  const auto add = [&](const std::string& name) -> CaseVerdict& {
    Outcome& outcome = outcomes.emplace_back(passing_with_new_metric());
    outcome.verdict.case_name = name;
    outcome.accept_command = fmt::format("stepgate baseline accept {} --tier exact --reason \"...\"", name);
    return outcome.verdict;
  };
  for (int number = 0; number < passing; ++number) add(fmt::format("tabular/case{}/tiny", number));
  add("tabular/red/tiny").status = Status::regressed;
  add("tabular/waived/tiny").metrics.back().reason = ReasonCode::waived;
  return report_of(std::move(outcomes));
}

TEST(NewMetrics, TheCommandDoesNotNameEachOfManyCases) {
  const std::string after = " --tier exact --reason \"...\"";
  EXPECT_THAT(new_metrics(many_cases(2000)).commands,
              ElementsAre("stepgate baseline accept --new-metrics" + after,
                          "stepgate baseline accept tabular/waived/tiny" + after));
  EXPECT_THAT(new_metrics(many_cases(19)).commands,
              ElementsAre(AllOf(HasSubstr("tabular/case0/tiny"), HasSubstr("tabular/waived/tiny" + after))));
}

TEST(NewMetrics, TheCommandAcceptsNoCaseThatDoesNotPass) {
  const NewMetrics found = new_metrics(many_cases(2));
  EXPECT_EQ(found.list, "host syncs (4 cases)");
  EXPECT_THAT(found.commands, ElementsAre(Not(HasSubstr("tabular/red/tiny"))));
}

TEST(NewMetrics, AreNoneWhereEveryMetricHasABaselineOrNoGatingRole) {
  EXPECT_THAT(new_metrics(every_status()).list, IsEmpty());
  RunReport report = two_cases();
  for (Outcome& outcome : report.outcomes) outcome.verdict.metrics.front().gating = false;
  EXPECT_THAT(new_metrics(report).list, IsEmpty());
}

TEST(NewMetrics, AppearOnceInEveryReport) {
  const std::string command = "tabular/linear/other --reason \"...\"";
  const std::string console = render_console(two_cases(), {.width = 100});
  EXPECT_EQ(times_in(console, "host syncs"), 1U) << console;
  EXPECT_EQ(times_in(console, command), 1U) << console;
  EXPECT_THAT(console, HasSubstr("not judged: 1 new"));
  const std::string markdown = render_markdown(two_cases(), {});
  EXPECT_THAT(markdown, HasSubstr("### Not judged: new metrics"));
  EXPECT_EQ(times_in(markdown, command), 1U) << markdown;
  const std::string github = render_github(two_cases(), {});
  EXPECT_EQ(times_in(github, "::notice"), 1U) << github;
  EXPECT_THAT(github, HasSubstr("host syncs"));
}

TEST(NewMetrics, AreNotCalledNewerThanABaselineThatLeftThemOut) {
  const std::string console = render_console(two_cases(), {.width = 200});
  EXPECT_THAT(console, HasSubstr("the policy declared them varying"));
  EXPECT_THAT(console, Not(HasSubstr("the baselines are older than these metrics;")));
}

TEST(NotJudged, IsNeverCalledPass) {
  const std::string console = render_console(report_of({passing_with_new_metric()}), {.width = 120, .verbose = true});
  EXPECT_THAT(console, HasSubstr("not judged: new"));
  EXPECT_THAT(render_console(every_status(), {.width = 120, .verbose = true}), Not(HasSubstr("(pass)")));
  EXPECT_THAT(render_markdown(report_of({passing_with_new_metric()}), {}), HasSubstr("| not judged: new |"));
  EXPECT_THAT(render_markdown(every_status(), {}),
              Not(HasSubstr("| pass | <code>vision/resnet/small_batch</code> (timed) | "
                            "forward")));
  EXPECT_THAT(render_junit(report_of({passing_with_new_metric()}), {}),
              HasSubstr("name=\"host_syncs_per_step.status\" value=\"not judged: new\""));
}

TEST(NotJudged, AWaivedMetricSaysSo) {
  Outcome outcome = passing_exact();
  MetricVerdict& waived = outcome.verdict.metrics.front();
  waived.gating = false;
  waived.reason = ReasonCode::waived;
  EXPECT_THAT(render_console(report_of({outcome}), {.width = 120, .verbose = true}), HasSubstr("waived"));
}

}  // namespace
}  // namespace stepgate
