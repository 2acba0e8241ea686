#include "report/history/history_csv.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

HistoryReport report_of_a_point(const std::string& commit, const std::string& runner_class) {
  HistoryReport report;
  report.sessions = {{.utc = "2026-10-01T00:00:00Z", .commit = commit, .runner_class = runner_class}};
  HistorySeries& series = report.series.emplace_back();
  series.name = {"a/b", "step_time_ns", "box"};
  series.epochs.emplace_back().points = {{.first_session = 0, .last_session = 0, .value = 5}};
  return report;
}

TEST(HistoryCsv, ATextOfASessionStaysOnItsLineAndCommandsNothing) {
  EXPECT_EQ(render_history_csv(report_of_a_point("4be1c0f\n=1+1", "b\x1b[31mox")),
            "time,commit,class,a/b:step_time_ns@box\n"
            "2026-10-01T00:00:00Z,4be1c0f =1+1,b?[31mox,5\n");
  EXPECT_EQ(render_history_csv(report_of_a_point("=1+1", "a,\"b\"")),
            "time,commit,class,a/b:step_time_ns@box\n"
            "2026-10-01T00:00:00Z,'=1+1,\"a,\"\"b\"\"\",5\n");
}

}  // namespace
}  // namespace stepgate
