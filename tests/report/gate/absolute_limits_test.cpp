// Floors, budgets and targets in every report: met, missed and undecided.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json/results/run_report_json.h"
#include "report/ci/junit_report.h"
#include "report/gate/console_report.h"
#include "report/markdown/markdown_report.h"
#include "report/page/gate_page.h"
#include "report/page/render_page.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

LimitVerdict limit_verdict(AbsoluteLimitKind kind, LimitOutcome outcome) {
  const bool is_budget = kind == AbsoluteLimitKind::budget;
  return {
      .limit = {.kind = kind, .metric = is_budget ? "step_time_ns" : "samples_per_s", .value = is_budget ? 2e7 : 4000},
      .outcome = outcome,
      .current = is_budget ? 1.5e7 : 4480,
      .range = is_budget ? ValueBounds{1.4e7, 1.6e7} : ValueBounds{4410, 4560},
      .processes = 5};
}

/// What a floor or budget makes of a case; a target makes nothing of it.
Status status_of(AbsoluteLimitKind kind, LimitOutcome outcome) {
  if (kind == AbsoluteLimitKind::target || outcome == LimitOutcome::met) return Status::pass;
  return outcome == LimitOutcome::missed ? Status::regressed : Status::inconclusive;
}

Outcome outcome_with(AbsoluteLimitKind kind, LimitOutcome outcome) {
  Outcome one = passing_timed();
  one.verdict.status = status_of(kind, outcome);
  one.verdict.limits = {limit_verdict(kind, outcome)};
  return one;
}

struct Told {
  AbsoluteLimitKind kind;
  LimitOutcome outcome;
  std::string sentence;
  int exit_status;
};

const std::vector<Told>& every_answer() {
  using enum AbsoluteLimitKind;
  using enum LimitOutcome;
  static const std::string rate = "4 480 samples/s [4 410 samples/s, 4 560 samples/s] over 5 processes";
  static const std::string time = "15.0 ms [14.0 ms, 16.0 ms] over 5 processes";
  static const std::vector<Told> all = {
      {floor, met, "samples at least 4 000 samples/s: met, " + rate, 0},
      {floor, missed, "samples at least 4 000 samples/s: missed, " + rate, 1},
      {floor, undecided, "samples at least 4 000 samples/s: undecided, " + rate, 4},
      {target, met, "samples at least 4 000 samples/s: met, " + rate, 0},
      {target, missed, "samples at least 4 000 samples/s: not met, " + rate, 0},
      {target, undecided, "samples at least 4 000 samples/s: undecided, " + rate, 0},
      {budget, met, "step time at most 20.0 ms: met, " + time, 0},
      {budget, missed, "step time at most 20.0 ms: missed, " + time, 1},
      {budget, undecided, "step time at most 20.0 ms: undecided, " + time, 4},
  };
  return all;
}

/// Without the line ends and indents of a wrapped paragraph.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || (!line.empty() && line.back() != ' ')) line += is_space ? ' ' : c;
  }
  return line;
}

TEST(AbsoluteLimits, AreToldByEveryReportAndTheExitStatus) {
  for (const Told& told : every_answer()) {
    const RunReport report = report_of({outcome_with(told.kind, told.outcome)});
    SCOPED_TRACE(std::string(name_of(told.kind)) + ": " + told.sentence);
    EXPECT_EQ(exit_status(report), told.exit_status);
    EXPECT_THAT(on_one_line(render_console(report, {})), HasSubstr(told.sentence));
    EXPECT_THAT(render_markdown(report, {}), HasSubstr("### Floors, budgets and targets"));
    EXPECT_THAT(render_markdown(report, {}), HasSubstr(std::string(name_of(told.kind))));
    const std::string junit = render_junit(report, {});
    const std::string answer(outcome_text(report.outcomes[0].verdict.limits[0]));
    EXPECT_THAT(junit, HasSubstr("value=\"" + answer + "\""));
    EXPECT_THAT(junit, HasSubstr(std::string(name_of(told.kind)) + ": " + told.sentence));
    const std::string page = render_page(gate_page({.report = report}));
    EXPECT_THAT(page, HasSubstr("Floors, budgets and targets"));
    EXPECT_THAT(page, HasSubstr(answer));
    const RunReport read = run_report_from_text(to_text(report), "verdict.json");
    ASSERT_EQ(read.outcomes[0].verdict.limits.size(), 1U);
    EXPECT_EQ(text_of(read.outcomes[0].verdict.limits[0]), told.sentence);
  }
}

TEST(AbsoluteLimits, WithoutAnyNothingIsSaid) {
  const RunReport report = report_of({passing_timed()});
  EXPECT_THAT(render_markdown(report, {}), Not(HasSubstr("Floors")));
  EXPECT_THAT(render_page(gate_page({.report = report})), Not(HasSubstr("Floors")));
  EXPECT_THAT(to_text(report), Not(HasSubstr("absolute_limits")));
}

}  // namespace
}  // namespace stepgate
