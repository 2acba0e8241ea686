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
  return {evidence_of_pairs(), sample_evidence("vision/resnet/small_batch", {.half = TierChoice::timed})};
}

TEST(GatePageGolden, EveryStatus) {
  const RunReport report = red_and_others();
  const std::string html = render_page(gate_page({.report = report,
                                                  .evidence = stored(),
                                                  .histories = sample_histories(),
                                                  .repository_url = "https://code.example/team/project"}));
  walk_page(html);
  expect_golden("report/page/gate.html", html);
}

TEST(GatePageGolden, AllPass) {
  const RunReport report = report_of({passing_exact(), passing_timed(), passing_with_new_metric()});
  const std::string html = render_page(gate_page({.report = report}));
  walk_page(html);
  expect_golden("report/page/gate_pass.html", html);
}

TEST(GatePage, AGreenOfPairsSpeaksOfTwoBuilds) {
  Outcome green = passing_timed();
  green.kind = result_of_pairs;
  const Page page = gate_page({.report = report_of({green})});
  EXPECT_EQ(page.sentences.at(0).text, "Every case of the head build holds against the base build.");
  EXPECT_THAT(render_page(page), Not(HasSubstr("aseline")));
  EXPECT_THAT(render_page(gate_page({.report = report_of({red_by_pairs()})})),
              HasSubstr("against the base build 9f2c1ab"));
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

TEST(GatePage, WithoutABaselineThereIsNoChangeToTell) {
  const RunReport report = report_of({no_baseline_case()});
  const Page page = gate_page({.report = report});
  EXPECT_EQ(page.sentences.at(0).text, "vision/mlp/wide: no baseline, " + no_baseline_case().verdict.detail + ".");
  EXPECT_EQ(page.sections.at(0).blocks.at(0).table.rows.size(), 1U);
}

TEST(GatePage, CommandsStandRightBelowTheCause) {
  const RunReport report = report_of({red_by_pairs()});
  const auto blocks = gate_page({.report = report, .evidence = stored()}).sections.at(1).blocks;
  EXPECT_EQ(blocks.at(1).heading, "Cause");
  EXPECT_EQ(blocks.at(2).heading, "What to do");
}

TEST(GatePage, MissingCasesStandInTheFirstTableAndInTheFirstLine) {
  const RunReport report = every_status();
  const std::string html = render_page(gate_page({.report = report}));
  EXPECT_THAT(html, HasSubstr("1 not measured"));
  EXPECT_THAT(html, HasSubstr("vision/vit/tiny"));
}

TEST(GatePage, EachRowHasACellForEachColumn) {
  RunReport report = report_of({red_by_pairs(), passing_timed(), skipped_case()});
  report.missing_cases = {"toys/word_model/tiny"};
  const Page page = gate_page({.report = report});
  for (const PageSection& section : page.sections) {
    for (const PageBlock& block : section.blocks) {
      for (const auto& row : block.table.rows) EXPECT_EQ(row.size(), block.table.columns.size()) << block.table.caption;
    }
  }
}

TEST(GatePage, BothSidesOfTheMemoryAreBarsOfTheSameKinds) {
  const RunReport report = report_of({red_by_pairs()});
  const std::string html = render_page(gate_page({.report = report, .evidence = stored()}));
  EXPECT_THAT(html, HasSubstr("base: 2.42 GiB at the peak. now: 2.50 GiB at the peak."));
  EXPECT_THAT(html, HasSubstr("+76.3\xC2\xA0MiB"));  // 80 million bytes of activations
}

TEST(GatePage, TheLengthsOfTheBatchesStandBesideTheEvidence) {
  Outcome outcome = red_by_pairs();
  outcome.batch_lengths = BatchLengths{.bins = {{61, 61, 3}, {64, 64, 5}}, .padding_ratio = 0.25};
  EXPECT_THAT(render_page(gate_page({.report = report_of({outcome})})),
              HasSubstr("3 x 61, 5 x 64; 25.0\xC2\xA0% of the tokens are padding"));
}

TEST(GatePage, TellsUpToWhichStepLossesWereJudged) {
  Outcome outcome = red_by_pairs();
  outcome.losses = JudgedLosses{.last_step = 89, .seen = 102, .steps = 104, .compared = 21};
  EXPECT_THAT(render_page(gate_page({.report = report_of({outcome})})),
              HasSubstr("losses judged up to step 89: 102 of 104 losses were looked at"));
}

TEST(GatePage, WithoutEvidenceNoMarginsAreDrawn) {
  const RunReport report = report_of({red_by_pairs()});
  EXPECT_THAT(render_page(gate_page({.report = report})), Not(HasSubstr("class=\"ignored\"")));
}

PageBlock drawn_changes(const CaseEvidence& evidence) {
  const RunReport report = report_of({red_by_pairs()});
  const Page page = gate_page({.report = report, .evidence = {evidence}});
  return page.sections.at(1).blocks.at(0);
}

std::size_t times_in_page(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(GatePage, EachPairIsADotInTheOrderMeasured) {
  const PageBlock block = drawn_changes(evidence_of_pairs());
  EXPECT_EQ(times_in_page(block.chart, "class=\"dot\""), 12U);
  EXPECT_THAT(block.chart, HasSubstr("12 pairs: 12 from +3.3 % to +5.1 %."));
  EXPECT_TRUE(block.table.rows.empty());
}

TEST(GatePage, EachNodeHasARow) {
  const PageBlock block = drawn_changes(evidence_of_nodes());
  EXPECT_EQ(times_in_page(block.chart, "class=\"dot\""), 12U);
  EXPECT_THAT(block.chart, HasSubstr(">trainer2</text>"));
  ASSERT_EQ(block.table.rows.size(), 3U);
  const auto& third = block.table.rows[2];
  EXPECT_EQ(third.at(0).text, "trainer3 CPU 0-15");
  EXPECT_EQ(third.at(1).text, "4");
  EXPECT_EQ(third.at(2).text, "1");
  EXPECT_EQ(third.at(3).text, "+4.5 %");  // of +5.1, +4.7, +4.0 and +4.1 %
}

TEST(GatePage, NodesOfOneHostAreNamedByWhatTheyHaveOfIt) {
  CaseEvidence evidence = evidence_of_nodes();
  for (std::size_t i = 0; i < 3; ++i) evidence.nodes[i].place = "trainer1 CPU " + std::to_string(i);
  EXPECT_THAT(drawn_changes(evidence).chart, HasSubstr(">CPU 2</text>"));
  for (NodePairs& node : evidence.nodes) node.place += " GPU-4be1c0f0-1234-5678-90ab-cdef01234567";
  EXPECT_THAT(drawn_changes(evidence).chart, HasSubstr(">node 3</text>"));
  EXPECT_EQ(drawn_changes(evidence).table.rows[2].at(0).text, "node 3: " + evidence.nodes[2].place);
}

TEST(GatePage, TheSentenceAboutNodesStandsOnlyWhereTheyAreNotDrawn) {
  Outcome outcome = red_by_pairs();
  outcome.findings.push_back(
      {FindingCode::nodes, Severity::note, "step time by node: trainer1 +4.2 %", "", "step_time_ns"});
  const RunReport report = report_of({outcome});
  EXPECT_THAT(render_page(gate_page({.report = report, .evidence = {evidence_of_pairs()}})), HasSubstr("by node:"));
  EXPECT_THAT(render_page(gate_page({.report = report, .evidence = {evidence_of_nodes()}})),
              Not(HasSubstr("by node:")));
}

/// The drawings in the row of red_by_pairs().
std::string drawings_with(const CaseHistories& histories) {
  const RunReport report = report_of({red_by_pairs(), no_baseline_case()});
  const Page page = gate_page({.report = report, .evidence = stored(), .histories = histories});
  return page.sections.at(0).blocks.at(0).table.rows.at(0).at(5).chart;
}

TEST(GatePage, AHistoryStandsInTheRowAndInTheCaseWithThisRunInWords) {
  const RunReport report = report_of({red_by_pairs()});
  const std::string html = render_page(gate_page({.report = report, .histories = sample_histories()}));
  walk_page(html);
  EXPECT_THAT(html, HasSubstr("History of the step time"));
  EXPECT_EQ(times_in_page(html, ">a1b2c35</text>"), 1U);
  const std::string chart = drawings_with(sample_histories());
  EXPECT_THAT(chart, HasSubstr("40 points, 2026-10-10 to 2026-10-29: level 8.96 ms, from a1b2c35 on 9.16 ms; "
                               "1 spike left out; newest 9.17 ms; this run 9.54 ms."));
  EXPECT_EQ(times_in_page(chart, "<svg "), 2U);
  EXPECT_EQ(times_in_page(chart, "class=\"point bad\""), 2U);  // of the change, and of this run
  EXPECT_EQ(times_in_page(chart, "class=\"ring\""), 1U);
}

TEST(GatePage, WithoutAHistoryThereIsNoRoomForOne) {
  EXPECT_EQ(times_in_page(drawings_with({}), "<svg "), 1U);
  const MetricHistory step = sample_histories().begin()->second.at("step_time_ns");
  EXPECT_EQ(times_in_page(drawings_with({{"another/case", {{"step_time_ns", step}}}}), "<svg "), 1U);
  const RunReport report = report_of({red_by_pairs()});
  EXPECT_THAT(render_page(gate_page({.report = report})), Not(HasSubstr("istory")));
}

TEST(GatePage, AHistoryOfAnotherKeyIsToldAndNotDrawn) {
  const RunReport report = report_of({red_by_pairs()});
  const CaseHistories other = {
      {"language/char_lm/full", {{"step_time_ns", {.unit = MetricUnit::ns, .note = "Another key."}}}}};
  const std::string html = render_page(gate_page({.report = report, .histories = other}));
  EXPECT_THAT(html, HasSubstr("Another key."));
  EXPECT_THAT(html, Not(HasSubstr("iamond")));
  EXPECT_EQ(times_in_page(drawings_with(other), "<svg "), 1U);
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

/// The section of the cases that passed.
bool passes_are_folded(const std::vector<Outcome>& outcomes) {
  const RunReport report = report_of(outcomes);
  return gate_page({.report = report}).sections.back().folded;
}

TEST(GatePage, CasesThatPassedAreOpenOnlyWhereNothingElseIsToldAndTheyAreFew) {
  EXPECT_FALSE(passes_are_folded({passing_timed(), passing_exact()}));
  EXPECT_TRUE(passes_are_folded({red_by_pairs(), passing_timed()}));
  EXPECT_TRUE(passes_are_folded(std::vector<Outcome>(21, passing_timed())));
}

TEST(GatePage, UnitsStayOnTheLineOfTheirNumberButNotInCommands) {
  Outcome outcome = red_by_pairs();
  outcome.findings.front().message = "1 310 720 B in 9.5 ms, 4 % of 12 sites";
  outcome.reproduce_command = "stepgate ab --note '4 % of 9 ms'";
  const RunReport report = report_of({outcome});
  const std::string html = render_page(gate_page({.report = report}));
  EXPECT_THAT(html, HasSubstr("1\xC2\xA0"
                              "310\xC2\xA0"
                              "720\xC2\xA0"
                              "B in 9.5\xC2\xA0ms, 4\xC2\xA0% of 12 sites"));
  EXPECT_THAT(html, HasSubstr("4 % of 9 ms"));
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
    waived.findings = {{FindingCode::waiver, Severity::warning, "loss: " + text, text, "loss"}};
    RunReport report = report_of({hostile_case_of(text), waived});
    report.runner_class = report.commit = report.stepgate_version = report.utc = text;
    report.missing_cases = {text};
    CaseEvidence evidence = evidence_of_pairs();
    evidence.case_name = text;
    evidence.memory->boundary = text;
    evidence.memory->bytes[text] = 1;
    MetricHistory history = sample_histories().begin()->second.at("step_time_ns");
    for (MetricHistoryPoint& point : history.points) point.commit = point.day = text;
    history.note = text;
    const std::string html = render_page(gate_page({.report = report,
                                                    .evidence = {evidence},
                                                    .histories = {{text, {{"step_time_ns", history}}}},
                                                    .repository_url = "https://code.example/" + text}));
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
