#include "report/gate/judged_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/gate/console_report.h"
#include "report/markdown/markdown_report.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Outcome named(Outcome outcome, const std::string& name) {
  outcome.verdict.case_name = name;
  return outcome;
}

/// A run as `ctest -L perf` leaves it on a machine without a GPU and without sessions.
RunReport run_of_a_cpu_machine() {
  RunReport report = report_of({named(passing_exact(), "a/b/both"), named(no_baseline_case(), "a/b/both"),
                                named(inconclusive_case(), "a/b/noisy"), named(failed_case(), "a/b/broken"),
                                named(passing_exact(), "a/b/exact"), named(skipped_case(), "a/b/gpu")});
  report.expected_cases = {"a/b/both", "a/b/noisy", "a/b/broken", "a/b/exact", "a/b/gpu"};
  report.one_half = {{"a/b/exact", TierChoice::exact}};
  return report;
}

TEST(JudgedText, SaysWhatWasJudgedAndEachReasonWorstFirst) {
  EXPECT_THAT(
      judged_lines(run_of_a_cpu_machine()),
      ElementsAre("judged: 2 exact of 5, 0 timed of 4", "not judged: 1 timed (failed [crashed])",
                  "not judged: 2 exact (not measured)", "not judged: 1 timed (inconclusive [interval-too-wide])",
                  "not judged: 1 timed (no baseline of this machine)",
                  "not judged: 1 exact, 1 timed (skipped: no CUDA device here)",
                  "not gated: the times of 1 case (TIERS exact): stepgate ab compares them"));
}

TEST(JudgedText, StandsBelowTheHeadingOfEveryReport) {
  const RunReport report = run_of_a_cpu_machine();
  const std::string console = render_console(report, {.width = 100});
  EXPECT_LT(console.find("judged: 2 exact of 5, 0 timed of 4"), console.find("a/b/broken"));
  EXPECT_LT(console.find("1 timed (no baseline of this machine)"), console.find("a/b/broken"));
  const std::string markdown = render_markdown(report, {});
  EXPECT_LT(markdown.find("judged: 2 exact of 5, 0 timed of 4"), markdown.find("broken"));
}

TEST(JudgedText, AMetricThatIsTooNoisyIsNamedAndItsHalfCounts) {
  Outcome outcome = passing_timed();
  outcome.verdict.metrics.push_back(timed_verdict("first_step_ns", Status::not_judged, 11e6, 95e6));
  outcome.verdict.metrics.back().reason = ReasonCode::too_noisy;
  EXPECT_THAT(judged_lines(report_of({outcome})), Contains("not judged: first step of 1 case (too noisy here)"));
  EXPECT_THAT(judged_lines(report_of({outcome})).front(), HasSubstr("1 timed of 1"));
  outcome.verdict.metrics.back().metric = "gpu_energy_per_step_j";
  outcome.verdict.metrics.back().reason = ReasonCode::limit_not_judged;
  EXPECT_THAT(judged_lines(report_of({outcome})),
              Contains("not judged: GPU energy of a step of 1 case (its limit, in alternating windows)"));
}

TEST(JudgedText, ASumOverOtherLibraryShapesIsNamed) {
  Outcome outcome = regressed_exact();
  outcome.verdict.metrics.push_back(metric_verdict("kernels_per_step", Status::not_judged, 26, 29));
  outcome.verdict.metrics.back().reason = ReasonCode::library_shapes_differ;
  EXPECT_THAT(judged_lines(report_of({outcome})),
              Contains("not judged: kernels of 1 case (the shapes of library calls differ)"));
}

TEST(JudgedText, OneJudgedHalfNeedsNoTally) {
  RunReport report = report_of({regressed_exact()});
  report.expected_cases.clear();
  EXPECT_THAT(judged_lines(report), IsEmpty());
  report.outcomes = {no_baseline_case()};
  EXPECT_THAT(judged_lines(report),
              ElementsAre("judged: 0 timed of 1", "not judged: 1 timed (no baseline of this machine)"));
  EXPECT_THAT(judged_lines(RunReport{}), IsEmpty());
}

TEST(JudgedText, TheCommandIsWholeOnItsOwnLineAndItsTimeOnlyWhereItIsKnown) {
  RunReport report = run_of_a_cpu_machine();
  report.judging = {.text = "stepgate gate --tier timed --base-build DIR", .halves = 2, .against_base = true};
  EXPECT_EQ(judging_sentence(report), "on a branch, this judges 2 of what was not:");
  EXPECT_THAT(render_markdown(report, {}), HasSubstr("stepgate gate --tier timed --base-build DIR"));
  EXPECT_THAT(render_last_lines("a sentence\n  stepgate gate --tier timed --base-build DIR", {.width = 40}),
              HasSubstr("\n  stepgate gate --tier timed --base-build DIR\n"));
  EXPECT_EQ(judging_sentence(report_of({passing_exact()})), "");
}

TEST(JudgedText, WhatAProgramWroteCannotBeCommands) {
  RunReport report = report_of({skipped_case(), passing_exact()});
  report.outcomes[0].verdict.detail = "no\x1b[2J device\n::error::x; next: buy one";
  const std::string text = render_last_lines(judged_lines(report).back(), {.width = 200});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\n::")));
  EXPECT_THAT(text, Not(HasSubstr("buy one")));
}

}  // namespace
}  // namespace stepgate
