#include "report/gate/console_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ConsoleReportGolden, Width80) {
  expect_golden("report/console_80.txt", render_console(every_status(), {.width = 80}));
}

TEST(ConsoleReport, PairsAreComparedWithABuild) {
  const std::string text = render_console(report_of({red_by_pairs()}), {.width = 100});
  EXPECT_THAT(text, HasSubstr("against"));
  EXPECT_THAT(text, HasSubstr("base build 9f2c1ab"));
  EXPECT_THAT(text, Not(HasSubstr("baseline  "))) << "neither a column nor a line";
}

TEST(ConsoleReport, TellsUpToWhichStepLossesWereJudged) {
  Outcome red = red_by_pairs();
  Outcome green = passing_exact();
  red.losses = green.losses = JudgedLosses{.last_step = 89, .seen = 102, .steps = 104, .compared = 21};
  const std::string text = render_console(report_of({red, green}), {.width = 200});
  EXPECT_THAT(text, HasSubstr("judged up to step 89: 102 of 104 losses were looked at, the first 21 steps were"));
  EXPECT_THAT(text, HasSubstr("losses to step 89")) << "of a case that passes, too";
}

TEST(ConsoleReportGolden, Width140) {
  expect_golden("report/console_140.txt", render_console(every_status(), {.width = 140}));
}

TEST(ConsoleReportGolden, Ascii) {
  expect_golden("report/console_ascii.txt", render_console(report_of({hostile_case()}), {.ascii = true, .width = 100}));
}

TEST(ConsoleReportGolden, Verbose) {
  expect_golden("report/console_verbose.txt",
                render_console(report_of({regressed_exact(), regressed_timed(), passing_exact()}),
                               {.width = 120, .verbose = true}));
}

TEST(ConsoleReportGolden, Color) {
  expect_golden("report/console_color.txt", render_console(every_status(), {.color = true, .width = 100}));
}

TEST(ConsoleReportGolden, AllPass) {
  expect_golden("report/console_pass.txt",
                render_console(report_of({passing_exact(), passing_timed()}), {.width = 100}));
}

TEST(ConsoleReportGolden, Nothing) { expect_golden("report/console_nothing.txt", render_console(RunReport{}, {})); }

TEST(ConsoleReportGolden, Width50) {
  expect_golden("report/console_50.txt", render_console(every_status(), {.width = 50}));
}

/// Names of cases, commands and paths are never wrapped.
bool may_be_long(const std::string& line) { return line.find('/') != std::string::npos; }

TEST(ConsoleReport, FitsANarrowTerminal) {
  for (const int width : {40, 50, 59}) {
    for (const std::string& line : lines_of(render_console(every_status(), {.width = width}))) {
      if (may_be_long(line)) continue;
      EXPECT_LE(columns(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(ConsoleReport, AFailureIsSaidOnce) {
  Outcome outcome = failed_case();
  const std::string message = outcome.failures.front().message;
  outcome.verdict.detail = "timed replicate 0: " + message;
  outcome.failures.push_back(outcome.failures.front());
  outcome.failures.back().message = "killed by signal 11 (segmentation fault) after 2.3 s";
  outcome.findings = {
      {FindingCode::replicate_failed, Severity::cause, outcome.verdict.detail, "run the reproduce command.", ""}};
  const std::string text = render_console(report_of({outcome}), {.width = 120});
  EXPECT_THAT(text, HasSubstr("crashed: " + message + "; and 1 more process\n"));
  EXPECT_EQ(text.find("killed by"), text.rfind("killed by")) << text;
  EXPECT_EQ(text.find("loading shard 0"), text.rfind("loading shard 0")) << text;
}

TEST(ConsoleReport, FramesOfAStackDoNotPushTheErrorOut) {
  Outcome outcome = failed_case();
  std::string& printed = outcome.failures.front().output_tail;
  printed = "what():  CUDA error: out of reach\n";
  for (int frame = 0; frame < 12; ++frame) printed += "frame #" + std::to_string(frame) + ": somewhere\n";
  const std::string text = render_console(report_of({outcome}), {.width = 120});
  EXPECT_THAT(text, HasSubstr("| what():  CUDA error: out of reach"));
  EXPECT_THAT(text, Not(HasSubstr("frame #")));
  EXPECT_THAT(render_console(report_of({outcome}), {.width = 120, .verbose = true}),
              HasSubstr("| frame #11: somewhere"));
}

TEST(ConsoleReport, CountsWhatHasNoBaselineByItsFile) {
  Outcome outcome = regressed_exact();
  MetricVerdict timed;
  timed.metric = "step_time_ns";
  outcome.verdict.metrics.push_back(timed);
  EXPECT_THAT(render_console(report_of({outcome}), {}), HasSubstr("without a runner baseline: 1\n"));
  timed.reason = ReasonCode::incompatible_baseline;
  outcome.verdict.metrics.back() = timed;
  EXPECT_THAT(render_console(report_of({outcome}), {}), HasSubstr("runner baseline of other conditions: 1\n"));
}

TEST(ConsoleReport, AFailureSaysNothingAboutBaselines) {
  Outcome outcome = failed_case();
  MetricVerdict metric;
  metric.metric = "operators_per_step";
  metric.reason = ReasonCode::incompatible_baseline;
  outcome.verdict.metrics = {metric};
  EXPECT_THAT(render_console(report_of({outcome}), {}), Not(HasSubstr("  open ")));
}

TEST(ConsoleReport, NamesTheReasonCodeOfWhatIsOpen) {
  EXPECT_THAT(render_console(report_of({inconclusive_case()}), {.width = 120}), HasSubstr("[interval-too-wide]"));
  Outcome outcome = inconclusive_case();
  outcome.verdict.metrics.clear();
  outcome.verdict.reason = ReasonCode::too_few_clean_replicates;
  EXPECT_THAT(render_console(report_of({outcome}), {.width = 120}),
              HasSubstr("too noisy for a verdict [too-few-clean-replicates]"));
}

TEST(ConsoleReport, EndsWithTheStatusOfTheCaller) {
  const auto lines = lines_of(render_console(every_status(), {.exit_sentence = "exit status 0: all ran."}));
  EXPECT_EQ(lines.back(), "exit status 0: all ran.");
}

TEST(ConsoleReport, StartsWithTheVerdictAndEndsWithTheExitStatus) {
  const auto lines = lines_of(render_console(every_status(), {.width = 140}));
  EXPECT_THAT(lines.front(), StartsWith("1 failed, 1 not measured, 2 regressed, 1 inconclusive, 1 no baseline, "
                                        "1 skipped, 1 improved, 2 pass"));
  EXPECT_THAT(lines.back(), StartsWith("exit status 3: "));
}

Outcome skipped_for_want_of_a_gpu(const char* name, double seconds) {
  Outcome outcome = skipped_case();
  outcome.verdict.case_name = name;
  outcome.verdict.detail = "exact replicate 0: ended with status 77 after " + std::to_string(seconds) + " s";
  outcome.failures = {
      {FailureKind::unavailable, outcome.verdict.detail,
       "perftest: --stepgate_device=cuda: no CUDA device is visible to this process\nnext: nvidia-smi\n"}};
  return outcome;
}

TEST(ConsoleReport, CasesThatLackTheSameDeviceAreOneLine) {
  const std::string text = render_console(
      report_of({skipped_for_want_of_a_gpu("a/b/full", 1.2), skipped_for_want_of_a_gpu("c/d/full", 1.4)}), {});
  EXPECT_THAT(text, HasSubstr("skipped  2 cases: no CUDA device is visible to this process; next: nvidia-smi\n"));
  EXPECT_THAT(text, HasSubstr("a/b/full, c/d/full"));
  EXPECT_THAT(text, Not(HasSubstr("status 77 after")));
}

TEST(ConsoleReport, OneSkippedCaseSaysWhichDeviceIsMissing) {
  const std::string text = render_console(report_of({skipped_for_want_of_a_gpu("a/b/full", 1.2)}), {});
  EXPECT_THAT(text, HasSubstr("skipped  a/b/full  no CUDA device is visible to this process; next: nvidia-smi\n"));
}

TEST(ConsoleReport, ColourOnlyRepeatsTheText) {
  std::string painted = render_console(every_status(), {.color = true, .width = 100});
  for (std::size_t at = painted.find('\x1b'); at != std::string::npos; at = painted.find('\x1b')) {
    painted.erase(at, painted.find('m', at) - at + 1);
  }
  EXPECT_EQ(painted, render_console(every_status(), {.color = false, .width = 100}));
}

TEST(ConsoleReport, AsciiStyleHoldsNothingElse) {
  const std::string text = render_console(report_of({hostile_case(), regressed_exact()}), {.ascii = true});
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](unsigned char c) { return c == '\n' || (c >= 32 && c < 127); }));
}

TEST(ConsoleReport, HostileTextNeverReachesTheTerminal) {
  const std::string text = render_console(report_of({hostile_case(), failed_case()}), {.verbose = true});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x01")));
  EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
}

TEST(ConsoleReport, LongNamesLeaveVerdictsInOneColumn) {
  for (int width : {80, 100, 140}) {
    const std::string text = render_console(report_of({hostile_case(), regressed_timed()}), {.width = width});
    std::vector<std::size_t> places;
    for (const std::string& line : lines_of(text)) {
      if (!line.starts_with("  ")) continue;
      const std::size_t at = std::min(line.find("verdict"), line.find("REGRESSED"));
      if (at != std::string::npos) places.push_back(columns(line.substr(0, at)));
    }
    ASSERT_GE(places.size(), 4U) << width;
    for (std::size_t place : places) EXPECT_EQ(place, places.front()) << width << "\n" << text;
  }
}

TEST(ConsoleReport, KeepsToItsWidthExceptForNamesAndCommands) {
  for (int width : {80, 100, 140}) {
    for (const std::string& line : lines_of(render_console(every_status(), {.width = width}))) {
      if (line.find("reproduce") != std::string::npos || line.find("accept ") != std::string::npos) continue;
      EXPECT_LE(columns(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(ConsoleReport, CommandsStayInOnePiece) {
  const std::string text = render_console(every_status(), {.width = 60});
  EXPECT_THAT(text, HasSubstr(regressed_exact().reproduce_command + "\n"));
  EXPECT_THAT(text, HasSubstr(regressed_exact().accept_command + "\n"));
}

TEST(ConsoleReport, FoldsWhatPassedUnlessVerbose) {
  const RunReport report = report_of({regressed_exact()});
  EXPECT_THAT(render_console(report, {}), Not(HasSubstr("H2D copies")));
  EXPECT_THAT(render_console(report, {}), HasSubstr("unchanged: 2 exact, 1 bytes"));
  EXPECT_THAT(render_console(report, {.verbose = true}), HasSubstr("H2D copies"));
}

TEST(ConsoleReport, ShowsWhatWasAskedForThoughItPasses) {
  Outcome passing = passing_exact();
  MetricVerdict final_loss = metric_verdict("final_loss", Status::pass, 2.5, 2.502);
  final_loss.detail = "final loss +0.1 % [-0.2 %, +0.4 %] over 8 seeds of 200 steps";
  passing.verdict.metrics.push_back(final_loss);
  EXPECT_THAT(render_console(report_of({passing}), {.width = 140}), HasSubstr("[-0.2 %, +0.4 %] over 8 seeds"));
}

TEST(ConsoleReport, NotesShowOnlyWhereTheyHelp) {
  EXPECT_THAT(render_console(report_of({regressed_exact()}), {}), Not(HasSubstr("aten::view")));
  EXPECT_THAT(render_console(report_of({improved_case()}), {}), HasSubstr("aten::_local_scalar_dense"));
}

TEST(ConsoleReport, SurvivesAbsurdWidths) {
  for (int width : {-5, 0, 1, 7, 100000}) {
    EXPECT_THAT(render_console(every_status(), {.width = width}), HasSubstr("REGRESSED")) << width;
  }
}

Outcome with_observation(Outcome outcome) {
  outcome.findings.push_back({FindingCode::launch_bound, Severity::note,
                              "launch-bound: the host needs 4.10 ms to queue a step", "larger batches would help.",
                              "enqueue_time_ns"});
  return outcome;
}

TEST(ConsoleReport, AnObservationShowsAtEveryVerdict) {
  for (const Outcome& outcome : {passing_exact(), regressed_exact(), improved_case()}) {
    const std::string page = render_console(report_of({with_observation(outcome)}), {});
    EXPECT_THAT(page, HasSubstr("launch-bound: the host needs 4.10 ms")) << outcome.verdict.case_name;
  }
  EXPECT_EQ(exit_status(report_of({with_observation(passing_exact())})), 0);
}

}  // namespace
}  // namespace stepgate
