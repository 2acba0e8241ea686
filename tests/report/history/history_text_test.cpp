#include "report/history/history_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

HistoryReport report_with_an_alert() {
  HistoryReport report;
  HistorySeries& series = report.series.emplace_back();
  series.name = {"language/char_lm/full", "step_time_ns", "h200"};
  series.unit = MetricUnit::ns;
  HistoryEpoch& epoch = series.epochs.emplace_back();
  for (std::size_t i = 0; i < 4; ++i) {
    report.sessions.push_back({.utc = "2026-10-01T00:00:00Z", .commit = "a1b2c3d4e5f6a7b8", .runner_class = "h200"});
    epoch.points.push_back({.first_session = i, .last_session = i, .value = i < 2 ? 1e6 : 2e6});
  }
  epoch.levels = {{0, 2, 1e6}, {2, 4, 2e6}};
  epoch.changes = {{.index = 2, .earliest = 2, .latest = 2, .change = 1, .worse = true, .state = ChangeState::alert}};
  return report;
}

TEST(HistoryText, TheCommandThatAcknowledgesNamesTheHistoryOfTheCall) {
  const ConsoleStyle style;
  const std::string own = render_history_check(report_with_an_alert(), {}, style);
  EXPECT_THAT(
      own, HasSubstr("stepgate history ack language/char_lm/full:step_time_ns@h200 a1b2c3d4e5f6 --reason \"...\"\n"));
  const AcknowledgeCommand elsewhere{.program = "/opt/bin/stepgate", .history = "my history"};
  EXPECT_THAT(
      render_history_check(report_with_an_alert(), elsewhere, style),
      HasSubstr("/opt/bin/stepgate history ack language/char_lm/full:step_time_ns@h200 a1b2c3d4e5f6 --reason \"...\" "
                "--history 'my history'\n"));
}

TEST(HistoryText, TheCommandsThatAcknowledgeQuoteWhatASessionNames) {
  HistoryReport report = report_with_an_alert();
  for (HistorySessionFacts& session : report.sessions) session.commit = "a;touch it $(id)";
  const std::string quoted = " 'a;touch it $(id)' --reason";
  EXPECT_THAT(render_history_check(report, {}, {}), HasSubstr(quoted));
  report.series[0].epochs[0].changes.clear();
  report.series[0].coverage.why = NotJudged::stale;
  EXPECT_THAT(render_history_check(report, {}, {}), HasSubstr("ack language/char_lm/full:step_time_ns@h200" + quoted));
  report.series[0].coverage.why = NotJudged::no;
  report.silent = {{.runner_class = "box", .commit = "a;touch it $(id)"}};
  EXPECT_THAT(render_history_check(report, {}, {}), HasSubstr("ack @box" + quoted));
}

TEST(HistoryText, ACheckTellsValuesThatItLeftOutOfAJudgedSeries) {
  HistoryReport report = report_with_an_alert();
  report.series[0].epochs[0].changes.clear();
  report.series[0].left_out = {1};
  EXPECT_THAT(render_history_check(report, {}, {}), HasSubstr("1 value that is not positive"));
  report.series[0].left_out.clear();
  EXPECT_THAT(render_history_check(report, {}, {}), Not(HasSubstr("left out")));
}

TEST(HistoryText, ACheckOfNewSeriesAloneSaysThatNothingWasJudged) {
  HistoryReport report = report_with_an_alert();
  report.series[0].epochs[0].changes.clear();
  report.series[0].coverage = {.why = NotJudged::new_series, .points = 4, .needed = 8};
  EXPECT_THAT(render_history_check(report, {}, {}), HasSubstr("nothing was judged"));
}

}  // namespace
}  // namespace stepgate
