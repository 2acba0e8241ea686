// What a tree changes of its limits, in every report.
#include "report/gate/limit_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "report/ci/github_report.h"
#include "report/ci/junit_report.h"
#include "report/gate/console_report.h"
#include "report/gate/tally.h"
#include "report/markdown/markdown_report.h"
#include "report/page/gate_page.h"
#include "support/sample_limits.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

RunReport passing_with_limits() {
  RunReport report = report_of({passing_exact()});
  report.limits = sample_limit_review();
  return report;
}

RunReport allowed_by_jane() {
  RunReport report = passing_with_limits();
  report.limits->allowed_by = "jane";
  return report;
}

TEST(LimitLines, SayWhatWhereAndHowMuchLoosenedOnesFirst) {
  std::vector<std::string> lines;
  for (const LimitLine& line : limit_lines(sample_limit_review()))
    lines.push_back(std::string(line.label) + ": " + line.text);
  EXPECT_THAT(
      lines,
      testing::ElementsAre(
          "by hand: baseline portable/language/char_lm/tiny.json, edited while its acceptance is that of the base: "
          "operators_per_step 412 -> 500 (+21.4 %)",
          "removed: case vision/resnet/tiny", "loosened: policy language: margins.matter 0.05 -> 999",
          "accepted: baseline portable/vision/mlp/tiny.json: allocations_per_step 412 -> 424 (+2.9 %, accepted "
          "2026-11-20 at 3333333: new attention)",
          "tightened: policy vision: beta 0.05 -> 0.01",
          "not read: baselines/portable/vision/cnn/tiny.json of the base: a damaged file"));
}

TEST(LimitLines, TheFirstLineOfAReportCountsWhatIsLoosened) {
  EXPECT_EQ(tally(passing_with_limits()), "1 pass, 3 limits loosened without consent");
  EXPECT_EQ(tally(allowed_by_jane()), "1 pass, 3 limits loosened, allowed by jane");
  RunReport shown = passing_with_limits();
  for (LimitChange& change : shown.limits->changes) change.needs_consent = false;
  EXPECT_EQ(tally(shown), "1 pass, 3 limits loosened");
  shown.limits->changes.erase(shown.limits->changes.begin(), shown.limits->changes.begin() + 3);
  EXPECT_EQ(tally(shown), "1 pass");
}

TEST(LimitLines, ARunWithoutConsentNamesTheTwoWaysOut) {
  EXPECT_THAT(exit_sentence(passing_with_limits()),
              StartsWith("exit status 1: limits are loosened without the consent that the base asks for. Take the "
                         "changes back, or have them allowed: --allow-loosening NAME."));
  EXPECT_THAT(exit_sentence(allowed_by_jane()), StartsWith("exit status 0: every case holds"));
  EXPECT_THAT(consent_advice(*passing_with_limits().limits), HasSubstr("--allow-loosening NAME"));
  EXPECT_EQ(consent_advice(*allowed_by_jane().limits), "");
}

TEST(LimitLines, ATerminalShowsThemBeforeTheCases) {
  const std::string text = render_console(passing_with_limits(), {.width = 200});
  EXPECT_THAT(text, HasSubstr(R"(
Limits of this tree, against the base 4be1c0ffee12
  by hand    baseline portable/language/char_lm/tiny.json, edited while its acceptance is that of the base: operators_per_step 412 -> 500 (+21.4 %)
  removed    case vision/resnet/tiny
  loosened   policy language: margins.matter 0.05 -> 999
  accepted   baseline portable/vision/mlp/tiny.json: allocations_per_step 412 -> 424 (+2.9 %, accepted 2026-11-20 at 3333333: new attention)
  tightened  policy vision: beta 0.05 -> 0.01
  not read   baselines/portable/vision/cnn/tiny.json of the base: a damaged file
  consent    the policy of the base asks for consent.)"));
  EXPECT_LT(text.find("Limits of this tree"), text.find("exit status 1"));
  EXPECT_THAT(render_console(allowed_by_jane(), {.width = 200}), HasSubstr("\n  allowed    by jane\n"));
}

TEST(LimitLines, ATreeThatChangesNothingIsSilent) {
  RunReport same = report_of({passing_exact()});
  const RunReport without = same;
  same.limits = LimitReview{.base_commit = "4be1c0ffee12", .changes = {}};
  EXPECT_EQ(render_console(same, {}), render_console(without, {}));
  EXPECT_EQ(render_markdown(same, {}), render_markdown(without, {}));
  EXPECT_EQ(render_github(same, {}), render_github(without, {}));
  EXPECT_EQ(render_junit(same, {}), render_junit(without, {}));
}

TEST(LimitLines, MarkdownListsThemBelowTheVerdict) {
  const std::string text = render_markdown(passing_with_limits(), {});
  EXPECT_THAT(text, StartsWith("**1 pass, 3 limits loosened without consent**"));
  EXPECT_THAT(text, HasSubstr("\n### Limits of this tree, against the base 4be1c0ffee12\n\n**Consent is missing**: "));
  EXPECT_THAT(text, HasSubstr("- **removed**: case vision/resnet/tiny\n- **loosened**: policy language: "
                              "margins.matter 0.05 -&#62; 999\n- accepted: "));
  EXPECT_THAT(render_markdown(allowed_by_jane(), {}), HasSubstr("\nAllowed by jane.\n"));
}

TEST(LimitLines, ALongListLeavesRoomForTheVerdicts) {
  RunReport report = report_of({regressed_exact()});
  report.limits = sample_limit_review();
  for (int i = 0; i < 5000; ++i) report.limits->changes.push_back(report.limits->changes[2]);
  loosened_first(report.limits->changes);
  const std::string text = render_markdown(report, {.max_bytes = 20'000});
  EXPECT_LE(text.size(), 20'000u);
  EXPECT_THAT(text, HasSubstr("stepgate baseline accept"));
  EXPECT_THAT(text, HasSubstr(" changed limits"));
  EXPECT_THAT(render_console(report, {}), HasSubstr("and 4 976 more changes: verdict.json has all"));
}

TEST(LimitLines, AnAnnotationIsAnErrorOnlyWithoutConsent) {
  EXPECT_THAT(render_github(passing_with_limits(), {}),
              HasSubstr("::error title=3 limits loosened without consent::by hand"));
  EXPECT_THAT(render_github(allowed_by_jane(), {}),
              HasSubstr("::warning title=3 limits loosened%2C allowed by jane::"));
  EXPECT_THAT(render_github(allowed_by_jane(), {}), Not(HasSubstr("::error")));
}

TEST(LimitLines, JunitHasATestOfTheLimits) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(render_junit(passing_with_limits(), {}).c_str()));
  const auto root = document.child("testsuites");
  EXPECT_EQ(std::string(root.attribute("tests").value()), "2");
  EXPECT_EQ(std::string(root.attribute("failures").value()), "1");
  const auto failure = root.child("testsuite").child("testcase").child("failure");
  EXPECT_EQ(std::string(failure.attribute("type").value()), "loosened-without-consent");
  EXPECT_THAT(std::string(failure.text().get()), HasSubstr("removed: case vision/resnet/tiny"));
  ASSERT_TRUE(document.load_string(render_junit(allowed_by_jane(), {}).c_str()));
  EXPECT_EQ(std::string(document.child("testsuites").attribute("failures").value()), "0");
}

TEST(LimitLines, ThePageBeginsWithThem) {
  const Page page = gate_page({.report = passing_with_limits()});
  EXPECT_EQ(page.title, "stepgate: 1 pass, 3 limits loosened without consent");
  ASSERT_THAT(page.sections, Not(IsEmpty()));
  EXPECT_EQ(page.sections.front().id, "limits");
  EXPECT_EQ(page.sections.front().tone, Tone::bad);
  EXPECT_EQ(page.sections.front().blocks.at(0).items.size(), 6u);
  EXPECT_EQ(page.counts.back().text, "3 limits loosened without consent");
  EXPECT_THAT(page.sentences.back().text, HasSubstr("first of all baseline portable/language/char_lm/tiny.json"));
  EXPECT_EQ(gate_page({.report = allowed_by_jane()}).sections.front().tone, Tone::unsure);
}

}  // namespace
}  // namespace stepgate
