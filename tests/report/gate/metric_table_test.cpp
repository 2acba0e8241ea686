#include "report/gate/metric_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/text/clean_text.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<TableRow> step_row() {
  return {{metric_cells(timed_verdict("step_time_ns", Status::regressed, 14.3e6, 18.6e6)), "", Status::regressed}};
}

TEST(MetricTable, KeepsTheIntervalInTheRowWhereItFits) {
  const auto rows = step_row();
  const TableLayout layout = lay_out(rows, {.width = 120});
  EXPECT_THAT(table_lines(rows[0], layout, "REGRESSED"), ElementsAre(HasSubstr("+30.1 % [+28.7 %, +31.3 %]")));
}

TEST(MetricTable, MovesTheIntervalBelowBeforeItCutsNames) {
  const auto rows = step_row();
  const TableLayout layout = lay_out(rows, {.width = 70});
  EXPECT_THAT(table_lines(rows[0], layout, "REGRESSED"),
              ElementsAre(HasSubstr("step time"), HasSubstr("interval [+28.7 %, +31.3 %]")));
  EXPECT_LE(columns(table_lines(rows[0], layout, "REGRESSED")[0]), 70U);
}

TEST(MetricTable, HeadingIsAboveItsColumns) {
  const auto rows = step_row();
  const TableLayout layout = lay_out(rows, {.width = 120});
  EXPECT_EQ(table_heading(layout).find("verdict"), table_lines(rows[0], layout, "REGRESSED")[0].find("REGRESSED"));
}

}  // namespace
}  // namespace stepgate
