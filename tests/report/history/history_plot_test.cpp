#include "report/history/history_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t long_history = 20'000;

/// One series of so many points in epochs of `in_epoch`; the point `lowest` is half of the others, `highest` twice.
HistoryReport plotted_report(std::size_t points, std::size_t in_epoch, std::size_t lowest, std::size_t highest) {
  HistoryReport report;
  HistorySeries& series = report.series.emplace_back();
  series.name = {"a/b", "step_time_ns", "box"};
  series.unit = MetricUnit::ns;
  for (std::size_t i = 0; i < points; ++i) {
    report.sessions.push_back(
        {.utc = "2026-10-01T00:00:00Z", .commit = "c" + std::to_string(100'000 + i), .runner_class = "box"});
    if (i % in_epoch == 0) {
      series.epochs.emplace_back();
      series.epochs.back().levels = {{0, std::min(in_epoch, points - i), 1e6}};
    }
    const double factor = i == lowest ? 0.5 : i == highest ? 2 : 1 + 0.001 * static_cast<double>(i % 7);
    series.epochs.back().points.push_back({.first_session = i, .last_session = i, .value = 1e6 * factor});
  }
  return report;
}

std::size_t marks_in_plot(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(HistoryPlot, EachPointOfAShortSeriesIsDrawn) {
  const std::string svg = render_history_plot(plotted_report(50, 25, 7, 30));
  EXPECT_EQ(marks_in_plot(svg, "class=\"point\""), 50u);
  EXPECT_THAT(svg, Not(HasSubstr("of their pixel")));
}

TEST(HistoryPlot, OfALongSeriesTheLowestAndTheHighestPointOfAPixelAreDrawn) {
  for (const std::size_t in_epoch : {long_history, std::size_t{1}}) {
    const std::string svg = render_history_plot(plotted_report(long_history, in_epoch, 10'003, 15'010));
    EXPECT_THAT(svg, HasSubstr("c110003,"));
    EXPECT_THAT(svg, HasSubstr("c115010,"));
    EXPECT_THAT(svg, HasSubstr("of 20000 points those that are the lowest and the highest of their pixel"));
    EXPECT_LE(marks_in_plot(svg, "class=\"point\""), 1402u) << in_epoch;
    EXPECT_LT(svg.size(), 600'000u) << in_epoch;
  }
}

}  // namespace
}  // namespace stepgate
