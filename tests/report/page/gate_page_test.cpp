#include "report/page/gate_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page/page_html.h"
#include "report/page/render_page.h"
#include "support/golden.h"
#include "support/hostile_texts.h"
#include "support/sample_page.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* whole_commit = "4be1c0f0123456789012345678901234567890ab";

RunReport red_and_others() {
  RunReport report = every_status();
  report.commit = whole_commit;
  std::swap(report.outcomes[0], report.outcomes[1]);  // what can be compared is the worst here
  report.outcomes.insert(report.outcomes.begin(), red_by_pairs());
  return report;
}

std::vector<CaseEvidence> stored() {
  return {evidence_of_pairs(), sample_evidence("vision/resnet/small_batch", "timed")};
}

TEST(GatePageGolden, EveryStatus) {
  const RunReport report = red_and_others();
  const std::string html = render_page(
      gate_page({.report = report, .evidence = stored(), .repository_url = "https://code.example/team/project"}));
  walk_page(html);
  expect_golden("report/page/gate.html", html);
}

TEST(GatePageGolden, AllPass) {
  const RunReport report = report_of({passing_exact(), passing_timed(), passing_with_new_metric()});
  const std::string html = render_page(gate_page({.report = report}));
  walk_page(html);
  expect_golden("report/page/gate_pass.html", html);
}

TEST(GatePage, TheFirstLinesGiveVerdictSizeCauseAndNextStep) {
  const RunReport report = report_of({red_by_pairs(), passing_timed()});
  const Page page = gate_page({.report = report, .evidence = stored()});
  ASSERT_EQ(page.counts.size(), 2U);
  EXPECT_EQ(page.counts[0].text, "1 regressed");
  EXPECT_EQ(page.counts[1].text, "1 pass");
  ASSERT_EQ(page.sentences.size(), 3U);
  EXPECT_EQ(page.sentences[0].text,
            "language/char_lm/full: step time +4.2 % (+3.6 % to +4.8 %), 9.16 ms \xE2\x86\x92 9.54 ms; red begins at "
            "+1.0 %.");
  EXPECT_THAT(page.sentences[1].text, HasSubstr("A host sync was added in forward"));
  EXPECT_EQ(page.sentences[1].places.at(0).text, "src/model.cpp:118 in CharLm::forward");
  EXPECT_THAT(page.sentences[2].text, HasSubstr("Fix it"));
}

TEST(GatePage, ALossOfThroughputIsShownAsWorse) {
  Outcome outcome = red_by_pairs();
  MetricVerdict supply = metric_verdict("loader_samples_per_s", Status::regressed, 1000, 800);
  supply.interval = Interval{-0.25, -0.15};
  outcome.verdict.metrics = {supply};
  const RunReport report = report_of({outcome});
  EXPECT_THAT(gate_page({.report = report}).sentences[0].text, HasSubstr("+25.0 % (+17.6 % to +33.3 %)"));
}

TEST(GatePage, NothingMeasuredIsNoPass) {
  const RunReport report;
  const Page page = gate_page({.report = report});
  EXPECT_EQ(page.counts.at(0).tone, Tone::bad);
  EXPECT_THAT(page.sentences.at(0).text, HasSubstr("Nothing was measured, and that is not a pass"));
}

TEST(GatePage, MissingCasesStandInTheFirstTableAndInTheFirstLine) {
  const RunReport report = every_status();
  const std::string html = render_page(gate_page({.report = report}));
  EXPECT_THAT(html, HasSubstr("1 not measured"));
  EXPECT_THAT(html, HasSubstr("vision/vit/tiny"));
}

TEST(GatePage, BothSidesOfTheMemoryAreBarsOfTheSameKinds) {
  const RunReport report = report_of({red_by_pairs()});
  const std::string html = render_page(gate_page({.report = report, .evidence = stored()}));
  EXPECT_THAT(html, HasSubstr("base: 2.42 GiB at the peak. now: 2.50 GiB at the peak."));
  EXPECT_THAT(html, HasSubstr("+76.3 MiB"));  // 80 million bytes of activations
}

TEST(GatePage, WithoutEvidenceNoMarginsAreDrawn) {
  const RunReport report = report_of({red_by_pairs()});
  EXPECT_THAT(render_page(gate_page({.report = report})), Not(HasSubstr("class=\"ignored\"")));
}

TEST(GatePage, AHistoryIsDrawnWhereOneIsGiven) {
  const RunReport report = report_of({red_by_pairs()});
  const std::vector<HistoryDot> points = {{9.1}, {9.2}, {9.9, true}, {9.5, false, true, "a1b2c3d"}};
  const std::string html = render_page(gate_page({.report = report, .histories = {{"language/char_lm/full", points}}}));
  walk_page(html);
  EXPECT_THAT(html, HasSubstr("History of the step time"));
  EXPECT_THAT(html, HasSubstr("a1b2c3d"));
}

TEST(GatePage, BeyondTwentyCasesEachIsFolded) {
  const auto folded = [](std::size_t cases) {
    const RunReport report = report_of(std::vector<Outcome>(cases, red_by_pairs()));
    std::size_t count = 0;
    for (const PageSection& section : gate_page({.report = report}).sections) count += section.folded ? 1 : 0;
    return count;
  };
  EXPECT_EQ(folded(20), 0U);
  EXPECT_EQ(folded(21), 21U);
}

TEST(GatePage, CommandsStayWhole) {
  Outcome outcome = red_by_pairs();
  outcome.reproduce_command = "stepgate ab " + std::string(5000, 'x') + " end";
  const RunReport report = report_of({outcome});
  EXPECT_THAT(render_page(gate_page({.report = report})), HasSubstr(outcome.reproduce_command));
}

TEST(GatePage, HostileTextsChangeNoElement) {
  const auto elements_with = [](const std::string& text) {
    Outcome waived = passing_exact();
    waived.findings = {{"waiver", Severity::warning, "loss: " + text, text, "loss"}};
    RunReport report = report_of({hostile_case_of(text), waived});
    report.runner_class = report.commit = report.stepgate_version = report.utc = text;
    report.missing_cases = {text};
    CaseEvidence evidence = evidence_of_pairs();
    evidence.case_name = evidence.group = text;
    evidence.memory->boundary = text;
    evidence.memory->bytes[text] = 1;
    const std::string html = render_page(
        gate_page({.report = report, .evidence = {evidence}, .repository_url = "https://code.example/" + text}));
    EXPECT_EQ(html.find_first_of("\r\x1b\x07\x7f\x08"), std::string::npos);
    return walk_page(html).elements;
  };
  const auto expected = elements_with("plain");
  for (const HostileText& one : hostile_texts()) {
    const auto elements = elements_with(one.text);
    if (!one.text.empty() && one.text.find('\n') == std::string::npos) {
      EXPECT_EQ(elements, expected) << one.name;  // an empty text leaves out its places
    }
  }
}

}  // namespace
}  // namespace stepgate
