#include "report/profile/profile_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/profile/profile_text.h"
#include "report/text/clean_text.h"
#include "support/golden.h"
#include "support/sample_profile.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int page_columns = 120;

TEST(GoldenProfile, Report) {
  expect_golden("report/profile.txt", render_profile(sample_profile(), {}, {.ascii = true, .width = page_columns}));
}

TEST(GoldenProfile, NarrowReport) {
  expect_golden("report/profile_80.txt", render_profile(sample_profile(), {.rows = 2}, {.ascii = true, .width = 80}));
}

TEST(GoldenProfile, StoppedAfterTheBaseline) {
  expect_golden("report/profile_stopped.txt",
                render_profile(sample_stopped_profile(), {}, {.ascii = true, .width = page_columns}));
}

TEST(GoldenProfile, Checklist) {
  expect_golden("report/profile_checklist.txt",
                render_checklist(sample_profile(), "", {.ascii = true, .width = page_columns}));
}

TEST(ProfileReport, NoLineIsWiderThan120Columns) {
  Profile profile = sample_profile();
  profile.operators[0].site.name = std::string(300, 'x');
  profile.operators[1].at->function = std::string(300, 'y');
  profile.call_costs[0].name = profile.call_costs[1].at.function = profile.call_costs[3].name = std::string(300, 'z');
  std::istringstream lines(render_profile(profile, {}, {.width = 400}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), 120u) << line;
}

TEST(ProfileReport, KindsWithoutAVerdictAreShownOnlyWithVerbose) {
  Profile profile = sample_profile();
  profile.absent["bottleneck communication"] = "one rank exchanges nothing";
  EXPECT_EQ(render_profile(profile, {}, {}), render_profile(sample_profile(), {}, {}));
  EXPECT_THAT(render_profile(profile, {}, {.verbose = true}),
              HasSubstr("bottleneck communication: one rank exchanges nothing"));
}

TEST(ProfileReport, ColourOnlyRepeatsTheWords) {
  std::string coloured = render_profile(sample_profile(), {}, {.color = true, .ascii = true, .width = page_columns});
  EXPECT_THAT(coloured, HasSubstr("\x1b["));
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  }
  EXPECT_EQ(coloured, render_profile(sample_profile(), {}, {.ascii = true, .width = page_columns}));
}

TEST(ProfileReport, SmokeTestsAreTheirOwnBlock) {
  const std::string text = render_checklist(sample_profile(), "smoke", {});
  EXPECT_THAT(text, HasSubstr("held-graphs"));
  EXPECT_THAT(text, testing::Not(HasSubstr("no-warm-up")));
}

TEST(ProfileReport, AChecklistWithoutAnswersSaysWhatStoppedTheProfile) {
  Profile profile = sample_stopped_profile();
  const ConsoleStyle wide{.width = page_columns};
  EXPECT_THAT(render_checklist(profile, "", wide),
              StartsWith(profile.case_name + "\nno question was answered: " + profile.stopped.substr(0, 20)));
  profile.stopped.clear();
  EXPECT_THAT(render_checklist(profile, "", wide), HasSubstr("did not get that far"));
}

TEST(ProfileReport, WithoutRoofsAndPlacesNamesHaveTheirRoom) {
  Profile profile = sample_profile();
  for (OperatorRow& row : profile.operators) {
    row.at.reset();
    row.roof_ns = 0;
    row.overhead = row.below_ridge = false;
  }
  profile.operators[0].site.calls = 0;
  profile.commit = "7a491dc847b2547a757bd06d6b29f69d4b92c307-dirty";
  const std::string text = render_profile(profile, {}, {.ascii = true, .width = page_columns});
  EXPECT_THAT(text, HasSubstr("aten::_scaled_dot_product_flash_attention_for_cpu_backward 8x4x64x16"));
  EXPECT_THAT(text, testing::ContainsRegex("1\\.23 +<1 "));
  EXPECT_THAT(text, testing::Not(HasSubstr("FLOPs make its roof")));
  EXPECT_THAT(text, testing::Not(HasSubstr("% roof")));
  EXPECT_THAT(text, HasSubstr("7a491dc847b2-dirty\n"));
}

TEST(ProfileReport, AnObserverThatNoiseHidesMakesNoNegativeLength) {
  Profile profile = sample_profile();
  profile.observer_overhead = -0.16;
  const std::string text = render_profile(profile, {}, {.ascii = true, .width = page_columns});
  EXPECT_THAT(text, HasSubstr("Steps were no longer with the observer\n             than without it"));
  EXPECT_THAT(text, testing::Not(HasSubstr("-16 %")));
}

TEST(ProfileReport, SaysThatTimesAreThoseOfTheGpu) {
  Profile profile = sample_profile();
  profile.operator_times = OperatorTimes::device;
  const std::string text = render_profile(profile, {}, {.ascii = true, .width = page_columns});
  EXPECT_THAT(text, HasSubstr("Times are those of kernels, copies and"));
  EXPECT_THAT(text, testing::Not(HasSubstr("scaled back")));
}

TEST(ProfileReport, WhatNeedsNoQuietMachineStandsOnAStoppedPage) {
  Profile profile = sample_stopped_profile();
  profile.operators = sample_operator_rows();
  profile.memory = sample_profile().memory;
  profile.checklist = sample_checklist();
  const std::string text = render_profile(profile, {}, {.ascii = true, .width = page_columns});
  for (const char* part : {"3 component  memory peak 9.10 MiB in backward", "4 operator", "checklist", "stopped"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(ProfileReport, ARoofThatIsTooLowIsSaidWithItsFigures) {
  Profile profile = sample_profile();
  profile.low_roofs = {"the measured float32 peak is too low: aten::mm at net.cpp:12 reaches 118.0 % of it"};
  const std::string text = render_profile(profile, {}, {.ascii = true, .width = page_columns});
  EXPECT_THAT(text, HasSubstr("this machine's float32 peak, which is too low"));
  EXPECT_THAT(text, HasSubstr("reaches 118.0 % of it; so % roof is too"));
}

TEST(ProfileReport, OperatorsByAllocatedMemoryShowIt) {
  Profile profile = sample_profile();
  profile.operators[3].site.allocated_bytes = 5 << 20;
  const OperatorView view{.sort = OperatorSort::allocated};
  const std::string text = render_profile(profile, view, {.ascii = true, .width = page_columns});
  EXPECT_THAT(text, testing::ContainsRegex("4 operator +self ms +calls +allocated +in"));
  EXPECT_THAT(text, testing::ContainsRegex("0.44 +2 +5.00 MiB +backward +aten::gelu_backward"));
  EXPECT_THAT(text, testing::Not(HasSubstr("% roof")));
  for (OperatorRow& row : profile.operators) row.site.allocated_bytes = 0;
  EXPECT_THAT(render_profile(profile, view, {.width = page_columns}),
              HasSubstr("no operator's allocations were counted"));
}

TEST(ProfileReport, WhatCallsCostIsATable) {
  Profile profile = sample_profile();
  const ConsoleStyle style{.ascii = true, .width = page_columns};
  const std::string text = render_profile(profile, {}, style);
  EXPECT_THAT(text, testing::ContainsRegex("calls cost +place +calls +observed +run twice +word\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\n +CharLm::loss +96 +31 % +\\+28 % \\[\\+26, \\+31\\] +proven\n"));
  EXPECT_THAT(text,
              testing::ContainsRegex("transformer.cpp:41 Block::forward +4 +11 % +\\+12 % .\\+11, \\+14. +proven"));
  EXPECT_THAT(text,
              testing::ContainsRegex("transformer.cpp:34 Block::attention +2 +2.0 % +.1.3 % .-0.4, .3.0. +undecided"));
  EXPECT_THAT(text, HasSubstr("so much longer when all operators called from there ran twice"));
  EXPECT_THAT(text, HasSubstr("not measured: char_lm.cpp:88: it calls nothing that may run twice"));
  profile.call_costs.clear();
  EXPECT_THAT(render_profile(profile, {}, style), testing::Not(HasSubstr("calls cost")));
}

TEST(ProfileReport, PlacesWithoutAnEffectAreNoTable) {
  Profile profile = sample_profile();
  profile.call_costs = {{.at = {"f", "a.cpp", 3}, .name = "a.cpp:3"}, {.at = {"f", "a.cpp", 4}, .name = "a.cpp:4"}};
  const std::string text = render_profile(profile, {}, {.ascii = true, .width = page_columns});
  EXPECT_THAT(text, HasSubstr("calls cost   not measured: a.cpp:3, a.cpp:4: fewer than two clean processes\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("run twice")));
}

TEST(ProfileReport, ALongPlaceOfACallKeepsItsLine) {
  Profile profile = sample_profile();
  profile.call_costs[1].at.function = std::string(200, 'y');
  EXPECT_THAT(render_profile(profile, {}, {.ascii = true, .width = 80}), HasSubstr("transformer.cpp:41"));
}

TEST(ProfileReport, GivenParametersStandInTheTitle) {
  Profile profile = sample_profile();
  profile.params = {{"batch_size", "64"}, {"model", "naive"}};
  EXPECT_THAT(render_profile(profile, {}, {.ascii = true, .width = page_columns}),
              StartsWith("profile  language/char_lm/tiny   batch_size=64, model=naive   cpu"));
}

TEST(ProfileReport, MemoryAfterEachBoundaryIsATable) {
  Profile profile = sample_profile();
  profile.boundary_memory = {{"backward", {.peak_allocated_bytes = 9 << 20, .allocated_bytes = 3 << 20}},
                             {"forward", {.peak_allocated_bytes = 8 << 20, .allocated_bytes = 7 << 20}},
                             {"warm", {.peak_allocated_bytes = 5, .allocated_bytes = 4}}};
  const std::string text = render_profile(profile, {}, {.ascii = true, .width = page_columns});
  EXPECT_THAT(text, testing::ContainsRegex("memory +at its end +peak in it"));
  EXPECT_THAT(text, testing::ContainsRegex("forward +7.00 MiB +8.00 MiB"));
  EXPECT_LT(text.find("forward   "), text.find("backward   ")) << "in the order of a step";
}

TEST(ProfileText, AnEffectSaysWhatItIs) {
  ExperimentResult result{.experiment = Experiment::optimizer_fused, .effect = 0.14};
  result.interval = Interval{0.05, 0.23};
  EXPECT_EQ(effect_text(result), "-14 % [-23, -5.0]");
  result.experiment = Experiment::doubled_batch;
  result.effect = 1.75;
  result.interval = Interval{1.73, 1.77};
  EXPECT_EQ(effect_text(result), "x 1.75 [1.73, 1.77]");
  result.experiment = Experiment::doubled_threads;
  result.effect = 0.69;
  result.interval = Interval{0.66, 0.72};
  EXPECT_EQ(effect_text(result), "-31 % [-34, -28]");
  result.experiment = Experiment::delayed_loader;
  result.effect = 0.95;
  result.interval = std::nullopt;
  EXPECT_EQ(effect_text(result), "passes 95 %");
  result.effect = std::nullopt;
  EXPECT_EQ(effect_text(result), "");
}

TEST(ProfileText, TheHeadlineIsTheLargestPartWithItsShare) {
  Profile profile = sample_profile();
  EXPECT_EQ(
      headline_text(profile),
      "backward takes 60 % of the step, compute at roof 42 %; limits: compute 31 % (proven), launch 25 % (proven), "
      "operators 17 % (likely), bandwidth 3.0 % (undecided)");
  profile.bottlenecks.clear();
  profile.components.clear();
  EXPECT_EQ(headline_text(profile), "compute at roof 42 %");
  EXPECT_EQ(headline_text({}), "");
}

TEST(ProfileText, AdviceEndsWithItsLine) {
  Advice advice{.worth = 0.05, .proof = Proof::proven, .text = "fuse it", .evidence = "optimizer-fused"};
  EXPECT_EQ(evidence_text(advice), "optimizer-fused");
  advice.at = SourceFrame{"CharLm::step", "language/char_lm.cpp", 68};
  EXPECT_EQ(evidence_text(advice), "optimizer-fused; char_lm.cpp:68 CharLm::step");
}

TEST(ProfileReport, AdviceIsShownWithItsLine) {
  Profile profile = sample_profile();
  profile.advice[2].at = SourceFrame{"Lm::head", "language/char_lm.cpp", 30};
  EXPECT_THAT(render_profile(profile, {}, {.ascii = true, .width = page_columns}),
              HasSubstr("[synthetic-batch, delayed-loader; char_lm.cpp:30 Lm::head]"));
}

TEST(ProfileText, AnIntervalThatSaysNothingIsNotPrinted) {
  ExperimentResult result{.experiment = Experiment::optimizer_fused, .effect = 0.14};
  result.interval = Interval{-216.1, 1};
  EXPECT_EQ(effect_text(result), "-14 % [too few processes]");
  result.experiment = Experiment::delayed_loader;
  EXPECT_EQ(effect_text(result), "passes 14 % [too few processes]");
}

TEST(ProfileText, ExperimentsOfOneReasonStandTogether) {
  EXPECT_THAT(not_run_texts(sample_profile()), testing::ElementsAre("cuda-graph, delayed-stream: needs a GPU"));
}

}  // namespace
}  // namespace stepgate
