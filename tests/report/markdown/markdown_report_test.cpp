#include "report/markdown/markdown_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/text/clean_text.h"
#include "support/golden.h"
#include "support/sample_page.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(MarkdownReportGolden, EveryStatus) { expect_golden("report/summary.md", render_markdown(every_status(), {})); }

TEST(MarkdownReportGolden, HostileMarkup) {
  RunReport report = report_of({hostile_markup_case()});
  report.runner_class = report.commit = hostile_markup();
  report.missing_cases = {hostile_markup()};
  expect_golden("report/summary_hostile.md", render_markdown(report, {}));
}

TEST(MarkdownReportGolden, Pass) {
  expect_golden("report/summary_pass.md", render_markdown(report_of({passing_exact(), passing_timed()}), {}));
}

TEST(MarkdownReport, TellsOfEveryCaseUpToWhichStepLossesWereJudged) {
  Outcome green = passing_exact();
  EXPECT_THAT(render_markdown(report_of({green}), {}), Not(HasSubstr("Losses")));
  green.losses = JudgedLosses{.last_step = 89, .seen = 102, .steps = 104, .compared = 0};
  EXPECT_THAT(render_markdown(report_of({green}), {}),
              HasSubstr("judged up to step 89: 102 of 104 losses were looked at, none was compared"));
}

TEST(MarkdownReport, FirstLineIsTheVerdict) {
  EXPECT_THAT(render_markdown(report_of({regressed_timed(), passing_timed()}), {}),
              StartsWith("**1 regressed, 1 pass** · runner class <code>h200-16c</code> · baseline "
                         "<code>9f2c1ab</code> (12 days old)\n"));
  EXPECT_THAT(render_markdown(RunReport{}, {}), StartsWith("**nothing measured** · no baseline\n"));
}

TEST(MarkdownReport, PairsOfTwoBuildsHaveNoBaseline) {
  const std::string text = render_markdown(report_of({red_by_pairs()}), {});
  EXPECT_THAT(text, HasSubstr("base build <code>9f2c1ab</code>\n"));
  EXPECT_THAT(text, HasSubstr("\nCompared with the base build 9f2c1ab\n"));
  EXPECT_THAT(text, Not(HasSubstr("aseline <code>")));
}

TEST(MarkdownReport, SeveralBaselinesAreCountedWithTheirAges) {
  RunReport report = report_of({regressed_timed(), regressed_exact()});
  report.outcomes[1].baseline_commit = "1234567";
  report.outcomes[1].baseline_age_s = 7200;
  EXPECT_THAT(render_markdown(report, {}), HasSubstr("baselines of 2 commits (2 h to 12 days old)"));
}

TEST(MarkdownReport, ARedCarriesPlotCauseAndCommands) {
  const std::string text = render_markdown(report_of({regressed_timed()}), {});
  EXPECT_THAT(text, HasSubstr("step time         ▁▁▁▁▁│███  5 sessions: 14.1 ms to 14.5 ms, now: 18.5 ms to 18.7 ms"));
  EXPECT_THAT(text, HasSubstr("- **cause** forward +4.10 ms of the step's +4.30 ms (95 %)"));
  EXPECT_THAT(text, HasSubstr("# reproduce\n" + regressed_timed().reproduce_command + "\n"));
  EXPECT_THAT(text, HasSubstr(regressed_timed().accept_command + "\n```\n"));
}

TEST(MarkdownReport, CasesThatPassHaveNoSectionOfTheirOwn) {
  EXPECT_THAT(render_markdown(report_of({passing_exact()}), {}), Not(HasSubstr("###")));
}

/// Twenty red cases, forty failures and long words: much longer than a comment may be.
RunReport much_too_long() {
  std::vector<Outcome> outcomes(400, regressed_timed());
  for (Outcome& outcome : outcomes) outcome.fingerprint["caf\xc3\xa9"] = std::string(150, 'x');
  return report_of(std::move(outcomes));
}

TEST(MarkdownReport, StaysBelowEveryLimitAndSaysWhatIsLeftOut) {
  for (std::size_t limit : {2'000UL, 10'000UL, comment_bytes}) {
    const std::string text = render_markdown(much_too_long(), {.max_bytes = limit});
    EXPECT_LE(text.size(), limit);
    EXPECT_GT(text.size(), limit / 2);
    EXPECT_THAT(text, StartsWith("**400 regressed**"));
    EXPECT_THAT(text, HasSubstr("\n| **REGRESSED** | "));
    EXPECT_THAT(text, HasSubstr("# reproduce\n")) << limit;
    EXPECT_THAT(text, HasSubstr("Left out, to stay below")) << limit;
    EXPECT_EQ(terminal_text(text, false).find("\xEF\xBF\xBD"), std::string::npos) << "a character was cut";
  }
}

TEST(MarkdownReport, NoFenceAndNoTableRowIsCut) {
  const RunReport report = much_too_long();
  for (std::size_t limit = 1'500; limit < 9'000; limit += 311) {
    const std::string text = render_markdown(report, {.max_bytes = limit});
    std::istringstream stream(text);
    int fences = 0;
    for (std::string line; std::getline(stream, line);) {
      fences += line.starts_with("```") ? 1 : 0;
      EXPECT_TRUE(!line.starts_with("|") || line.ends_with("|")) << line;
    }
    EXPECT_EQ(fences % 2, 0) << limit;
  }
}

TEST(MarkdownReport, AnObservationIsSaidOnceForEveryCase) {
  const Finding observed{FindingCode::launch_bound, Severity::note,
                         "launch-bound: the host needs 4.10 ms to queue a step", "larger batches would help.",
                         "enqueue_time_ns"};
  for (Outcome outcome : {passing_exact(), regressed_exact(), improved_case()}) {
    outcome.findings.push_back(observed);
    const std::string page = render_markdown(report_of({outcome}), {});
    const std::size_t first = page.find("the host needs 4.10 ms");
    ASSERT_NE(first, std::string::npos) << outcome.verdict.case_name;
    EXPECT_EQ(page.find("the host needs 4.10 ms", first + 1), std::string::npos) << outcome.verdict.case_name;
  }
}

}  // namespace
}  // namespace stepgate
