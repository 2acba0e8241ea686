#include "report/history/history_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <sstream>
#include <vector>

#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "report/history/history_words.h"
#include "report/plot/plot_scale.h"
#include "report/plot/svg_shapes.h"

namespace stepgate {
namespace {

constexpr double history_width = 860;
constexpr double panel_height = 230;
constexpr double panel_left = 80;
constexpr double panel_right = 780;
constexpr double panel_top = 66;      // below the top of the panel
constexpr double panel_bottom = 196;  // likewise
/// Two points for each pixel: more cannot be told apart.
constexpr double most_drawn_points = 2 * (panel_right - panel_left);
/// Texts of changes that are nearer than this would lie on each other, pixels.
constexpr double change_label_room = 90;

/// One series, and how its points become places.
struct HistoryPanel {
  const HistoryReport& report;
  const HistorySeries& series;
  double top;        ///< top of the panel, pixels
  double reference;  ///< the value that is 100 %
  double points;     ///< points of all epochs
  Ticks ticks = {};
  PixelScale y = {};
  pugi::xml_node root = {};
};

double value_of_100_percent(const HistorySeries& series) {
  const HistoryEpoch& first = series.epochs.front();
  const double value = first.levels.empty() ? first.points.front().value : first.levels.front().value;
  return value != 0 ? value : 1;
}

HistoryPanel panel_of(const HistoryReport& report, const HistorySeries& series, double top) {
  HistoryPanel panel{
      .report = report, .series = series, .top = top, .reference = value_of_100_percent(series), .points = 0};
  AxisRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const HistoryEpoch& epoch : series.epochs) {
    panel.points += static_cast<double>(epoch.points.size());
    for (const HistoryPoint& point : epoch.points) {
      range.lower = std::min(range.lower, 100 * point.value / panel.reference);
      range.upper = std::max(range.upper, 100 * point.value / panel.reference);
    }
  }
  // Noise of a tenth of a percent must not look like a mountain.
  constexpr double least_span = 2;
  const double missing = std::max(0.0, least_span - (range.upper - range.lower));
  panel.ticks = ticks_over({range.lower - missing / 2, range.upper + missing / 2});
  panel.y = {panel.ticks.range, top + panel_bottom, top + panel_top};
  return panel;
}

/// `number` counts the points of all epochs.
double x_of(const HistoryPanel& panel, double number) {
  return panel_left + (panel_right - panel_left) * (number + 0.5) / panel.points;
}

bool is_thinned(const HistoryPanel& panel) { return panel.points > most_drawn_points; }

double y_of(const HistoryPanel& panel, double value) { return panel.y.at(100 * value / panel.reference); }

void draw_panel(const HistoryPanel& panel) {
  add_text(panel.root, {24, panel.top + 24}, "title", text_of(panel.series.name));
  const std::string thinned =
      is_thinned(panel)
          ? fmt::format("; of {:.0f} points those that are the lowest and the highest of their pixel", panel.points)
          : "";
  add_text(panel.root, {24, panel.top + 43}, "label", "% of the first level" + thinned);
  for (const double tick : panel.ticks.at) {
    add_line(panel.root, {panel_left, panel.y.at(tick)}, {panel_right, panel.y.at(tick)}, "grid");
    add_text(panel.root, {panel_left - 8, panel.y.at(tick) + 4}, "tick end", fmt::format("{:g}", tick));
  }
  add_line(panel.root, {panel_left, panel.top + panel_bottom}, {panel_right, panel.top + panel_bottom}, "axis");
}

/// Lines of changes that fall together are one line. In a panel with many, texts are left out that have no room.
class ChangeLines {
 public:
  explicit ChangeLines(const HistoryPanel& panel) : panel_(panel) {}

  void draw(const HistoryEpoch& epoch, const HistoryChange& change, double begin);

 private:
  const HistoryPanel& panel_;
  double last_line_ = -1;
  double last_text_ = -change_label_room;
};

void ChangeLines::draw(const HistoryEpoch& epoch, const HistoryChange& change, double begin) {
  const HistoryPanel& panel = panel_;
  const double x = x_of(panel, begin + static_cast<double>(change.index) - 0.5);
  if (is_thinned(panel) && x - last_line_ < 1) return;
  last_line_ = x;
  add_line(panel.root, {x, panel.top + panel_top}, {x, panel.top + panel_bottom}, "knee");
  if (is_thinned(panel) && x - last_text_ < change_label_room) return;
  last_text_ = x;
  const std::string commit = short_commit(first_session(panel.report, epoch.points[change.index]).commit);
  add_text(panel.root, {x, panel.top + panel_top - 4}, "tick middle",
           fmt::format("{} {}", history_change_text(change), commit.substr(0, 7)));
}

void draw_history_point(const HistoryPanel& panel, const HistoryPoint& point, double x, pugi::xml_node parent) {
  const HistorySessionFacts& session = last_session(panel.report, point);
  const pugi::xml_node group = add_group(parent, point.spike ? "spike" : "point");
  add_title(group, fmt::format("{}, {}: {}{}", short_commit(session.commit), session.utc,
                               quantity_text(panel.series.unit, point.value), point.spike ? ", a spike" : ""));
  if (point.spike)
    add_ring(group, {x, y_of(panel, point.value)}, 3.5);
  else
    add_disc(group, {x, y_of(panel, point.value)}, 2.5);
}

/// A point that is drawn.
struct DrawnPoint {
  std::size_t epoch;
  std::size_t index;
  double number;  ///< among the points of all epochs
  double value;
};

/// Of three points that fall on one pixel the lowest and the highest stay.
void keep_extremes(std::vector<DrawnPoint>& drawn) {
  const auto three = drawn.end() - 3;
  const auto [lowest, highest] = std::minmax_element(
      three, drawn.end(), [](const DrawnPoint& a, const DrawnPoint& b) { return a.value < b.value; });
  for (auto at = three; at != drawn.end(); ++at) {
    if (at == lowest || at == highest) continue;
    drawn.erase(at);
    return;
  }
}

/// Of the points of all epochs that fall on one pixel the lowest and the highest; all points of a panel that has room.
std::vector<DrawnPoint> drawn_points(const HistoryPanel& panel) {
  const bool thinned = is_thinned(panel);
  std::vector<DrawnPoint> drawn;
  std::size_t of_pixel = 0;  // the first one in `drawn` that falls on the pixel
  double number = 0;
  for (std::size_t e = 0; e < panel.series.epochs.size(); ++e) {
    const std::vector<HistoryPoint>& points = panel.series.epochs[e].points;
    for (std::size_t i = 0; i < points.size(); ++i, ++number) {
      const bool joins = thinned && !drawn.empty() &&
                         std::floor(x_of(panel, drawn[of_pixel].number)) == std::floor(x_of(panel, number));
      if (!joins) of_pixel = drawn.size();
      drawn.push_back({e, i, number, points[i].value});
      if (drawn.size() - of_pixel == 3) keep_extremes(drawn);
    }
  }
  return drawn;
}

/// An epoch, and where it lies in its panel.
struct PlacedEpoch {
  std::size_t number;
  double begin;  ///< points of the epochs before it
  std::span<const DrawnPoint> points;
};

void draw_epoch(const HistoryPanel& panel, const PlacedEpoch& placed, ChangeLines& changes) {
  const HistoryEpoch& epoch = panel.series.epochs[placed.number];
  const double begin = placed.begin;
  const auto count = static_cast<double>(epoch.points.size());
  const auto is_visible = [&](double points) {
    return !is_thinned(panel) || x_of(panel, points) - x_of(panel, 0) >= 0.5;
  };
  if (placed.number % 2 == 1 && is_visible(count)) {
    add_rectangle(panel.root, {x_of(panel, begin - 0.5), panel.top + panel_top},
                  {x_of(panel, begin + count - 0.5), panel.top + panel_bottom}, "beyond");
  }
  for (const HistoryChange& change : epoch.changes) changes.draw(epoch, change, begin);
  if (placed.points.empty() && !is_visible(count)) return;
  const pugi::xml_node group = add_group(panel.root, series_class(0));
  for (const HistoryLevel& level : epoch.levels) {
    if (!is_visible(static_cast<double>(level.end - level.begin))) continue;
    const double y = y_of(panel, level.value);
    add_polyline(group,
                 {{x_of(panel, begin + static_cast<double>(level.begin) - 0.5), y},
                  {x_of(panel, begin + static_cast<double>(level.end) - 0.5), y}},
                 0);
  }
  for (const DrawnPoint& point : placed.points)
    draw_history_point(panel, epoch.points[point.index], x_of(panel, point.number), group);
}

void draw_epochs(const HistoryPanel& panel) {
  ChangeLines changes(panel);
  const std::vector<DrawnPoint> drawn = drawn_points(panel);
  double begin = 0;
  std::size_t first = 0;
  for (std::size_t e = 0; e < panel.series.epochs.size(); ++e) {
    std::size_t last = first;
    while (last < drawn.size() && drawn[last].epoch == e) ++last;
    draw_epoch(panel, {e, begin, std::span(drawn).subspan(first, last - first)}, changes);
    first = last;
    begin += static_cast<double>(panel.series.epochs[e].points.size());
  }
}

void draw_raw_values(const HistoryPanel& panel) {
  const double y = panel.top + panel_bottom + 18;
  const auto raw = [&](const HistoryPoint& point) {
    return fmt::format("{}, {}", last_session(panel.report, point).utc.substr(0, 10),
                       quantity_text(panel.series.unit, point.value));
  };
  add_text(panel.root, {panel_left, y}, "tick", raw(panel.series.epochs.front().points.front()));
  add_text(panel.root, {panel_right, y}, "tick end", raw(panel.series.epochs.back().points.back()));
}

}  // namespace

std::string render_history_plot(const HistoryReport& report) {
  std::vector<const HistorySeries*> drawn;
  for (const HistorySeries& series : report.series) {
    if (!series.epochs.empty() && drawn.size() < most_history_panels) drawn.push_back(&series);
  }
  const std::size_t panels = drawn.size();
  pugi::xml_document document;
  const auto rows = static_cast<double>(std::max<std::size_t>(1, panels));
  const pugi::xml_node root = open_svg(document, {history_width, panel_height * rows}, "History");
  if (panels == 0) add_text(root, {24, 30}, "label", "no series to show");
  for (std::size_t i = 0; i < panels; ++i) {
    HistoryPanel panel = panel_of(report, *drawn[i], panel_height * static_cast<double>(i));
    panel.root = root;
    draw_panel(panel);
    draw_epochs(panel);
    draw_raw_values(panel);
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace stepgate
