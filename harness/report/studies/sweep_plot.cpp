#include "report/studies/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "report/plot/plot_scale.h"
#include "report/plot/svg_shapes.h"
#include "report/studies/sweep_lines.h"
#include "report/studies/sweep_text.h"
#include "report/text/clean_text.h"

namespace stepgate {
namespace {

constexpr double width = 760;
constexpr double height = 462;
constexpr double left = 92;
constexpr double right = 600;  // the names of the lines are to the right of it
constexpr double top = 118;
constexpr double bottom = 398;
/// Offset between the lines of a column, so that their bars do not overlap.
constexpr double dodge = 9;

/// The input of every drawing function.
struct Plot {
  const Sweep& sweep;
  const SweepLines& lines;
  Ticks ticks;
  PixelScale y;
  MetricUnit unit;
  pugi::xml_node root;
};

/// The range contains all medians. The interval of two rounds can be so wide that it would flatten everything else, so
/// bars extend the range by at most the medians' own spread or a quarter of their size, and are cut at the frame.
AxisRange data_range(const SweepLines& lines) {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -lower;
  for (const PlotLine& line : lines.lines) {
    for (const PlotPoint& point : line.points) {
      if (!point.rank->median) continue;
      lower = std::min(lower, *point.rank->median);
      upper = std::max(upper, *point.rank->median);
    }
  }
  const double room = std::max(upper - lower, upper / 4);
  AxisRange range{lower, upper};
  for (const PlotLine& line : lines.lines) {
    for (const PlotPoint& point : line.points) {
      if (!point.rank->interval) continue;
      range.lower = std::min(range.lower, std::max(point.rank->interval->lower, lower - room));
      range.upper = std::max(range.upper, std::min(point.rank->interval->upper, upper + room));
    }
  }
  if (range.lower > 0 && range.lower < upper / 3) range.lower = 0;
  return range;
}

double column_x(const Plot& plot, std::size_t column, std::size_t line) {
  const auto columns = static_cast<double>(plot.lines.columns.size());
  const double centre = left + (right - left) * (static_cast<double>(column) + 0.5) / columns;
  return centre + dodge * (static_cast<double>(line) - (static_cast<double>(plot.lines.lines.size()) - 1) / 2);
}

void draw_axes(const Plot& plot) {
  for (const double tick : plot.ticks.at) {
    const double at = plot.y.at(tick);
    add_line(plot.root, {left, at}, {right, at}, "grid");
    add_text(plot.root, {left - 8, at + 4}, "tick end",
             plot.unit == MetricUnit::ns ? duration_text(tick) : count_text(std::round(tick * 1000) / 1000));
  }
  for (std::size_t i = 0; i < plot.lines.columns.size(); ++i) {
    const double columns = static_cast<double>(plot.lines.columns.size());
    const double at = left + (right - left) * (static_cast<double>(i) + 0.5) / columns;
    add_line(plot.root, {at, bottom}, {at, bottom + 5}, "axis");
    add_text(plot.root, {at, bottom + 20}, "tick middle", plot.lines.columns[i]);
  }
  add_line(plot.root, {left, bottom}, {right, bottom}, "axis");
  if (plot.unit != MetricUnit::ns)
    add_text(plot.root, {left - 8, top - 10}, "tick end", std::string(name_of(plot.unit)));
  add_text(plot.root, {(left + right) / 2, bottom + 44}, "label middle", plot.sweep.parameters[plot.lines.x].name);
}

std::string axis_label(const Plot& plot) {
  const std::string label = label_of(plot.sweep.metric);
  const std::string unit(name_of(plot.unit));
  if (plot.unit == MetricUnit::none || plot.unit == MetricUnit::ns || unit == label) return label;
  return unit.starts_with(label) ? unit : fmt::format("{} ({})", label, unit);
}

void draw_titles(const Plot& plot) {
  add_text(plot.root, {24, 30}, "title", plot.sweep.case_name);
  std::string subtitle =
      fmt::format("{}, median of {} fresh processes, bars: 95 %", axis_label(plot), plot.sweep.rounds);
  if (!plot.lines.held.empty()) subtitle += "; " + plot.lines.held;
  add_text(plot.root, {24, 50}, "label", subtitle);
}

/// A band over the larger values, with its sentence above.
void draw_knee(const Plot& plot) {
  const std::string& name = plot.sweep.parameters[plot.lines.x].name;
  for (const Knee& knee : plot.sweep.ranking.knees) {
    if (knee.parameter != name) continue;
    add_text(plot.root, {24, 72}, "knee-text", fmt::format("{}: {}", name, knee_text(knee)));
    const auto found = std::find(plot.lines.columns.begin(), plot.lines.columns.end(), knee.value);
    if (knee.more == More::may_help || found == plot.lines.columns.end()) return;
    const auto column = static_cast<double>(found - plot.lines.columns.begin());
    const double at = left + (right - left) * (column + 1) / static_cast<double>(plot.lines.columns.size());
    add_rectangle(plot.root, {at, top}, {right, bottom}, "beyond");
    add_line(plot.root, {at, top}, {at, bottom}, "knee");
  }
}

void draw_point(const Plot& plot, const PlotPoint& point, std::size_t line) {
  const double x = column_x(plot, point.column, line);
  const pugi::xml_node group = add_group(plot.root, series_class(line));
  const std::string setting = setting_text(plot.sweep, point.rank->setting);
  if (!point.rank->median) {
    add_title(group, fmt::format("{}: failed: {}", setting, plot.sweep.settings[point.rank->setting].failure));
    add_cross(group, {x, bottom - 10}, 5);
    add_text(plot.root, {x, bottom - 22}, "tick middle", "failed");
    return;
  }
  const double y = plot.y.at(*point.rank->median);
  add_title(group, fmt::format("{}: {}", setting, quantity_text(plot.unit, *point.rank->median)));
  if (point.rank->interval) {
    const double low = plot.y.at(point.rank->interval->lower);
    const double high = plot.y.at(point.rank->interval->upper);
    add_line(group, {x, low}, {x, high}, "bar");
    add_line(group, {x - 4, low}, {x + 4, low}, "bar");
    add_line(group, {x - 4, high}, {x + 4, high}, "bar");
  }
  add_marker(group, {x, y}, line);
}

void draw_line(const Plot& plot, std::size_t line) {
  std::vector<Place> places;
  for (const PlotPoint& point : plot.lines.lines[line].points) {
    if (point.rank->median) places.push_back({column_x(plot, point.column, line), plot.y.at(*point.rank->median)});
  }
  const pugi::xml_node group = add_group(plot.root, series_class(line));
  add_polyline(group, places, line);
  for (const PlotPoint& point : plot.lines.lines[line].points) draw_point(plot, point, line);
}

void draw_best(const Plot& plot) {
  for (std::size_t line = 0; line < plot.lines.lines.size(); ++line) {
    for (const PlotPoint& point : plot.lines.lines[line].points) {
      if (point.rank->standing != Standing::best) continue;
      const Place place{column_x(plot, point.column, line), plot.y.at(*point.rank->median)};
      add_ring(plot.root, place, 10);
      // The label is above the bar, where its own line cannot cover it, or below near the upper edge.
      const double above = plot.y.at(point.rank->interval ? point.rank->interval->upper : *point.rank->median) - 10;
      const double below = plot.y.at(point.rank->interval ? point.rank->interval->lower : *point.rank->median) + 20;
      const double y = above > top + 6 ? std::min(above, place.y - 14) : std::max(below, place.y + 24);
      add_text(plot.root, {place.x, y}, "best halo middle",
               fmt::format("best: {}", quantity_text(plot.unit, *point.rank->median)));
    }
  }
}

/// Names at the lines' right ends, moved apart if they would touch.
void draw_names(const Plot& plot) {
  struct Name {
    std::size_t line;
    double y;
  };
  constexpr double apart = 18;
  std::vector<Name> names;
  for (std::size_t line = 0; line < plot.lines.lines.size(); ++line) {
    if (plot.lines.lines[line].label.empty()) continue;
    double y = bottom - 10;
    for (const PlotPoint& point : plot.lines.lines[line].points) {
      if (point.rank->median) y = plot.y.at(*point.rank->median);
    }
    names.push_back({line, y});
  }
  std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
  double next = top;
  for (Name& name : names) {
    name.y = std::max(name.y, next);
    next = name.y + apart;
    const pugi::xml_node group = add_group(plot.root, series_class(name.line));
    add_marker(group, {right + 14, name.y}, name.line);
    add_text(plot.root, {right + 26, name.y + 4}, "label", shortened(plot.lines.lines[name.line].label, 20, true));
  }
}

void draw(const Plot& plot) {
  draw_titles(plot);
  draw_knee(plot);
  draw_axes(plot);
  for (std::size_t line = 0; line < plot.lines.lines.size(); ++line) draw_line(plot, line);
  draw_best(plot);
  draw_names(plot);
}

}  // namespace

std::string render_sweep_plot(const Sweep& sweep) {
  pugi::xml_document document;
  pugi::xml_node root = open_svg(document, {width, height}, "Sweep of " + sweep.case_name);
  const auto lines = lines_of(sweep);
  if (!lines) {
    add_text(root, {24, 30}, "title", sweep.case_name);
    add_text(root, {24, 56}, "label", "no setting could be ranked: sweep.json says why");
  } else {
    const Metric* metric = find_metric(sweep.metric);
    const Ticks ticks = ticks_over(data_range(*lines));
    draw({.sweep = sweep,
          .lines = *lines,
          .ticks = ticks,
          .y = {ticks.range, bottom, top},
          .unit = metric == nullptr ? MetricUnit::none : metric->unit,
          .root = root});
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace stepgate
