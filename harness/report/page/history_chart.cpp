#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
#include "report/page/chart_frame.h"
#include "report/page/page_chart.h"
#include "report/plot/plot_scale.h"

namespace stepgate {
namespace {

/// A cell is 140 pixels wide: more points than this fall together.
constexpr std::size_t sparkline_points = 40;
/// Noise of a tenth of a percent must not look like a mountain: the axis covers this share of the value at least.
constexpr double least_history_span = 0.02;
/// Texts of changes that are nearer than this would lie on each other, pixels.
constexpr double history_label_room = 64;

struct HistoryFrame {
  Place from;  ///< left and top
  Place to;    ///< right and bottom
};

/// The newest points of a history from `begin` on, and how they become places.
struct HistoryPlot {
  const DrawnHistory& drawn;
  std::size_t begin = 0;
  PixelScale x = {};
  PixelScale y = {};

  const MetricHistoryPoint& point(std::size_t i) const { return drawn.history.points[i]; }
  Place place(std::size_t i) const { return {x.at(static_cast<double>(i)), y.at(point(i).value)}; }
};

/// The range of the points that count. A spike does not count; it is drawn at the edge.
AxisRange values_in(const HistoryPlot& plot) {
  double lower = plot.drawn.this_run.value_or(plot.point(plot.begin).level);
  double upper = lower;
  for (std::size_t i = plot.begin; i < plot.drawn.history.points.size(); ++i) {
    const MetricHistoryPoint& point = plot.point(i);
    for (const double value : {point.spike ? point.level : point.value, point.level}) {
      lower = std::min(lower, value);
      upper = std::max(upper, value);
    }
  }
  const double missing = std::max(0.0, least_history_span * std::abs(upper) + 1e-300 - (upper - lower));
  return {lower - missing / 2, upper + missing / 2};
}

/// Has one place more than points, for this run.
HistoryPlot history_plot(const DrawnHistory& drawn, std::size_t begin, const HistoryFrame& frame) {
  HistoryPlot plot{.drawn = drawn, .begin = begin};
  plot.x = {{static_cast<double>(begin), static_cast<double>(drawn.history.points.size())}, frame.from.x, frame.to.x};
  plot.y = {values_in(plot), frame.to.y, frame.from.y};
  return plot;
}

void add_history_values(pugi::xml_node svg, const HistoryPlot& plot) {
  std::vector<Place> line;
  for (std::size_t i = plot.begin; i < plot.drawn.history.points.size(); ++i) {
    if (plot.point(i).spike)
      add_ring(svg, plot.place(i), 3);
    else
      line.push_back(plot.place(i));
  }
  pugi::xml_node group = add_group(svg, series_class(0));
  add_polyline(group, line, 0);
}

void add_this_run(pugi::xml_node svg, const HistoryPlot& plot) {
  const auto& now = plot.drawn.this_run;
  if (now) add_diamond(svg, {plot.x.end, plot.y.at(*now)}, plot.drawn.tone);
}

void add_history_levels(pugi::xml_node svg, const HistoryPlot& plot, double bottom) {
  const std::size_t count = plot.drawn.history.points.size();
  double label_end = 0;
  for (std::size_t begin = plot.begin, end = begin; begin < count; begin = end) {
    for (end = begin + 1; end < count && !plot.point(end).begins_level;) ++end;
    const double from = plot.x.at(static_cast<double>(begin));
    const double y = plot.y.at(plot.point(begin).level);
    add_line(svg, {from, y}, {plot.x.at(static_cast<double>(end - 1)), y}, "past");
    if (!plot.point(begin).begins_level) continue;
    add_line(svg, {from, 4}, {from, bottom}, "matter");
    const double middle = std::clamp(from, history_label_room / 2, plot.x.end - history_label_room / 2);
    if (middle < label_end) continue;
    add_text(svg, {middle, bottom + 14}, "tick middle", plot.point(begin).commit);
    label_end = middle + history_label_room;
  }
}

}  // namespace

std::string history_words(const DrawnHistory& drawn) {
  const auto& points = drawn.history.points;
  if (points.empty()) return "";
  const auto value_text = [&](double value) { return quantity_text(drawn.history.unit, value); };
  const std::string earlier = drawn.history.earlier == 0 ? "" : fmt::format("the newest {} of ", points.size());
  std::string text =
      fmt::format("{}{}, {} to {}: level {}", earlier, counted(drawn.history.earlier + points.size(), "point"),
                  points.front().day, points.back().day, value_text(points.front().level));
  std::size_t spikes = 0;
  for (const MetricHistoryPoint& point : points) {
    if (point.begins_level && &point != &points.front())
      text += fmt::format(", from {} on {}", point.commit, value_text(point.level));
    spikes += point.spike ? 1 : 0;
  }
  if (spikes > 0) text += fmt::format("; {} left out", counted(spikes, "spike"));
  text += fmt::format("; newest {}", value_text(points.back().value));
  if (drawn.this_run) text += "; this run " + value_text(*drawn.this_run);
  return text + ".";
}

std::string history_line(const ChartName& name, const DrawnHistory& drawn) {
  if (drawn.history.points.size() < 2) return "";
  constexpr double width = 460;
  constexpr double height = 100;
  constexpr double bottom = height - 20;
  ChartFrame frame = open_chart(name, {width, height}, history_words(drawn));
  const HistoryPlot plot = history_plot(drawn, 0, {{8, 10}, {width - 8, bottom - 6}});
  add_history_levels(frame.svg, plot, bottom);
  add_history_values(frame.svg, plot);
  add_this_run(frame.svg, plot);
  return chart_text(frame);
}

std::string history_sparkline(const ChartName& name, const DrawnHistory& drawn) {
  const std::size_t count = drawn.history.points.size();
  if (count < 2) return "";
  constexpr double width = 140;
  constexpr double height = 28;
  ChartFrame frame = open_chart(name, {width, height}, history_words(drawn));
  const HistoryPlot plot =
      history_plot(drawn, count - std::min(count, sparkline_points), {{4, 5}, {width - 6, height - 5}});
  add_history_values(frame.svg, plot);
  add_this_run(frame.svg, plot);
  return chart_text(frame);
}

}  // namespace stepgate
