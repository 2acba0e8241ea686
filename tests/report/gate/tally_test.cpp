#include "report/gate/tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Tally, NamesTheWorstFirst) {
  EXPECT_EQ(tally(report_of({passing_exact(), regressed_exact(), passing_timed()})), "1 regressed, 2 pass");
}

TEST(Tally, CountsWhatWasNotMeasured) {
  RunReport report = report_of({passing_exact()});
  report.missing_cases = {"a/b", "a/c"};
  EXPECT_EQ(tally(report), "2 not measured, 1 pass");
  EXPECT_THAT(exit_sentence(report), HasSubstr("exit status 3: something could not be measured"));
}

TEST(Tally, AnEmptyRunNeverPasses) {
  EXPECT_EQ(tally(RunReport{}), "nothing measured");
  EXPECT_THAT(exit_sentence(RunReport{}), HasSubstr("exit status 3: nothing was measured"));
}

TEST(Tally, SaysWhyRedsAreNotTheStatus) {
  EXPECT_THAT(exit_sentence(report_of({failed_case(), regressed_exact()})), HasSubstr("outranks the regressions"));
}

TEST(Tally, ExplainsEachExitStatus) {
  EXPECT_THAT(exit_sentence(report_of({passing_exact()})), HasSubstr("exit status 0: every case holds"));
  EXPECT_THAT(exit_sentence(report_of({passing_exact(), skipped_case()})),
              HasSubstr("exit status 77: every measured case holds; nothing is known about the skipped ones"));
  EXPECT_EQ(tally(report_of({skipped_case(), passing_exact()})), "1 skipped, 1 pass");
  EXPECT_THAT(exit_sentence(report_of({regressed_exact()})), HasSubstr("exit status 1: something got worse"));
  EXPECT_THAT(exit_sentence(report_of({inconclusive_case()})), HasSubstr("exit status 4: the evidence"));
  EXPECT_THAT(exit_sentence(report_of({no_baseline_case()})), HasSubstr("exit status 5: there is nothing"));
  EXPECT_THAT(exit_sentence(report_of({skipped_case()})), HasSubstr("exit status 77: every case was skipped"));
}

TEST(Tally, TellsAnotherTreeFromAFirstRun) {
  Outcome other = no_baseline_case();
  for (MetricVerdict& metric : other.verdict.metrics) metric.reason = ReasonCode::incompatible_tree;
  EXPECT_THAT(exit_sentence(report_of({other})), HasSubstr("exit status 5: the baseline is of another tree"));
}

TEST(Tally, PointsAtACommandOnlyWhereOneIsPrinted) {
  EXPECT_THAT(exit_sentence(report_of({regressed_exact()})), HasSubstr("with the command above"));
  Outcome by_pairs = regressed_timed();
  by_pairs.kind = result_of_pairs;
  by_pairs.accept_command.clear();
  EXPECT_THAT(exit_sentence(report_of({by_pairs})), HasSubstr("Fix it; if it is intended, run stepgate gate"));
  Outcome varies = regressed_exact();
  varies.accept_command.clear();
  // The command of an improvement is no way out of a red.
  EXPECT_THAT(exit_sentence(report_of({varies, improved_case()})),
              HasSubstr("Fix it: these values cannot be accepted"));
}

TEST(Tally, TwoBuildsHaveNoBaseline) {
  const auto sentence = [](std::vector<Outcome> outcomes) {
    for (Outcome& outcome : outcomes) outcome.kind = result_of_pairs;
    return exit_sentence(report_of(std::move(outcomes)));
  };
  EXPECT_EQ(sentence({passing_exact(), passing_timed()}),
            "exit status 0: every case of the head build holds against the base build.");
  EXPECT_THAT(sentence({inconclusive_case()}), HasSubstr("Measure more pairs"));
  Outcome nothing = inconclusive_case();
  nothing.verdict.reason = ReasonCode::nothing_judged;
  EXPECT_THAT(sentence({nothing}), HasSubstr("nothing to judge between the two builds"));
  EXPECT_THAT(exit_sentence(report_of({passing_exact()})), HasSubstr("holds against its baseline"));
}

TEST(Tally, AdvisesNoQuietMachineWhereNothingIsJudged) {
  Outcome outcome = inconclusive_case();
  outcome.verdict.reason = ReasonCode::nothing_judged;
  EXPECT_THAT(exit_sentence(report_of({outcome})), testing::Not(HasSubstr("quieter machine")));
  EXPECT_THAT(exit_sentence(report_of({outcome, inconclusive_case()})), HasSubstr("quieter machine"));
}

TEST(Tally, TheSentenceNamesTheStatusThatTheCallerGets) {
  EXPECT_THAT(exit_sentence(report_of({inconclusive_case()}), 77),
              HasSubstr("exit status 77, which CTest shows as skipped (without --ctest 4): the evidence"));
  EXPECT_EQ(exit_sentence(report_of({regressed_exact()}), 1), exit_sentence(report_of({regressed_exact()})));
}

TEST(Tally, ExpectAllLooksAtWhatWasJudged) {
  RunReport report = report_of({regressed_exact(), passing_timed()});
  report.one_half = {{"language/char_lm/tiny", TierChoice::exact}, {"tabular/linear/dense", TierChoice::timed}};
  EXPECT_THAT(expect_all_sentence(report, 0),
              StartsWith("exit status 0: all that the 2 expected cases gate was judged. The verdict on a case is that "
                         "of its own test.\njudged: 1 exact of 1, 1 timed of 1\n"));
  report.expected_cases.push_back("a/b");
  report.missing_cases = {"a/b"};
  EXPECT_THAT(expect_all_sentence(report, 77), HasSubstr("exit status 77: 1 of 3 expected cases did not run. With"));
  EXPECT_THAT(expect_all_sentence(report, 3), StartsWith("exit status 3: 1 of 3 expected cases did not run.\n"));
}

TEST(Tally, WhatRanIsNotWhatWasJudged) {
  RunReport report = report_of({no_baseline_case()});
  report.one_half = {{"vision/mlp/wide", TierChoice::timed}};
  report.judging = {.text = "ci/perf --against main", .halves = 1, .against_base = true, .fewest_s = 70, .most_s = 400};
  const std::string text = expect_all_sentence(report, 77);
  EXPECT_THAT(text, HasSubstr("what was not judged is neither green nor red"));
  EXPECT_THAT(text, EndsWith("\njudged: 0 timed of 1\nnot judged: 1 timed (no baseline of this machine)\n"
                             "on a branch, this judges 1 of what was not, in about 2 to 7 min and the build of the "
                             "base:\n  ci/perf --against main"));
}

}  // namespace
}  // namespace stepgate
