#include "report/gate/waivers_in_effect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/ci/github_report.h"
#include "report/ci/junit_report.h"
#include "report/gate/console_report.h"
#include "report/markdown/markdown_report.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* sentence = "operators: waived by grace until 2026-12-31 (new optimizer): 31 -> 131 per step";

/// Green only because of a waiver.
Outcome waived_outcome() {
  Outcome outcome = passing_exact();
  MetricVerdict& operators = outcome.verdict.metrics.front();
  operators.current = 131;
  operators.reason = ReasonCode::waived;
  operators.detail = "waived by grace until 2026-12-31 (new optimizer): 31 -> 131 per step";
  operators.gating = false;
  outcome.findings = {{FindingCode::waiver, Severity::warning, sentence, "", "operators_per_step"}};
  return outcome;
}

TEST(WaiversInEffect, AreOneLineEach) {
  Outcome outcome = waived_outcome();
  outcome.findings.push_back({FindingCode::waiver, Severity::warning, "loss: may regress", "remove it.", "loss"});
  outcome.findings.push_back({FindingCode::spread, Severity::warning, "other", "", ""});
  EXPECT_THAT(waivers_in_effect(outcome), ElementsAre(sentence, "loss: may regress; remove it."));
}

TEST(WaiversInEffect, AreOnTheConsoleOfAGreenRun) {
  const std::string page = render_console(report_of({waived_outcome()}), {});
  EXPECT_THAT(page, HasSubstr("waived: 1"));
  EXPECT_THAT(page, HasSubstr("  waiver     operators: waived by grace until 2026-12-31 (new optimizer): 31 -> 131"));
}

TEST(WaiversInEffect, AreInTheSummaryOfAGreenRun) {
  const std::string text = render_markdown(report_of({waived_outcome()}), {});
  EXPECT_THAT(text, HasSubstr("### Waivers in effect\n\n- "));
  EXPECT_THAT(text, HasSubstr("(exact): operators: waived by grace until 2026-12-31 (new optimizer): 31 -&#62; 131"));
}

TEST(WaiversInEffect, AreNamedOnceInTheSummaryOfARedRun) {
  Outcome red = regressed_exact();
  red.findings.push_back({FindingCode::waiver, Severity::warning, sentence, "", "operators_per_step"});
  const std::string text = render_markdown(report_of({red}), {});
  const std::size_t first = text.find("waived by grace");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("waived by grace", first + 1), std::string::npos);
  EXPECT_THAT(render_junit(report_of({red}), {}), HasSubstr("waiver: operators: waived by grace until 2026-12-31"));
}

TEST(WaiversInEffect, AreInJunitOfAGreenTest) {
  const std::string text = render_junit(report_of({waived_outcome()}), {});
  EXPECT_THAT(text, HasSubstr(std::string("<system-out>waiver: operators: waived by grace until 2026-12-31")));
  EXPECT_THAT(render_junit(report_of({passing_exact()}), {}), Not(HasSubstr("<system-out>")));
}

TEST(WaiversInEffect, AreAnnotatedAsWarnings) {
  const std::string text = render_github(report_of({waived_outcome()}), {});
  EXPECT_THAT(text,
              HasSubstr("::warning title=tabular/linear/dense (exact)%3A waiver in effect::operators: waived by"));
}

}  // namespace
}  // namespace stepgate
