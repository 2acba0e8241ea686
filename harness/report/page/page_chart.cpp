#include "report/page/page_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/text/number_format.h"
#include "report/page/chart_frame.h"
#include "report/plot/plot_scale.h"
#include "report/plot/svg_shapes.h"

namespace stepgate {
namespace {

constexpr double dot_label_width = 104;
/// Room for half of the longest tick text beside the end of an axis.
constexpr double axis_end_room = 34;

/// A row of a few dots is low; one of many shows a drift over the run as a slope.
double row_height(const DotRow& row) { return row.changes.size() > 4 ? 46 : 30; }

std::string margins_sentence(const std::optional<Margins>& margins) {
  if (!margins) return "";
  return fmt::format(" Below {} it is ignored; {} matters.", change_text(margins->ignore),
                     change_text(margins->matter));
}

std::string change_sentence(const WorseChange& all) {
  std::string text = "change " + change_text(all.change);
  if (all.interval) text += " " + interval_text(all.interval->lower, all.interval->upper);
  return text + ", + is worse." + margins_sentence(all.margins);
}

/// The interval as a bar with ends, the change as a diamond.
void add_change(pugi::xml_node parent, const PixelScale& x, double y, const WorseChange& all) {
  const std::string span = tone_class("span", all.tone);
  if (all.interval) {
    const double lower = x.at(all.interval->lower);
    const double upper = x.at(all.interval->upper);
    add_line(parent, {lower, y}, {upper, y}, span.c_str());
    for (double end : {lower, upper}) add_line(parent, {end, y - 5}, {end, y + 5}, span.c_str());
  }
  add_diamond(parent, {x.at(all.change), y}, all.tone);
}

struct Heights {
  double top = 0;
  double bottom = 0;
};

/// The band around zero that is ignored, and the dashed line from which a change matters.
void add_margins(pugi::xml_node parent, const PixelScale& x, const Heights& y, const std::optional<Margins>& margins) {
  if (margins) {
    add_rectangle(parent, {x.at(-margins->ignore), y.top}, {x.at(margins->ignore), y.bottom}, "ignored");
    add_line(parent, {x.at(margins->matter), y.top}, {x.at(margins->matter), y.bottom}, "matter");
  }
  add_line(parent, {x.at(0), y.top}, {x.at(0), y.bottom}, "axis");
}

/// Side by side where the margins are too close for names above their middles.
void add_margin_names(pugi::xml_node parent, const PixelScale& x, double y, const std::optional<Margins>& margins) {
  constexpr double width_of_both_halves = 52;
  if (!margins) return;
  const double matter = x.at(margins->matter);
  const bool close = matter - x.at(0) < width_of_both_halves;
  const double ignored = close ? std::min(x.at(margins->ignore), matter - 8) : x.at(0);
  add_text(parent, {ignored, y}, close ? "tick end" : "tick middle", "ignored");
  add_text(parent, {matter, y}, close ? "tick" : "tick middle", "matters");
}

AxisRange range_of(const std::vector<DotRow>& rows, const WorseChange& all) {
  AxisRange range{std::min(0.0, all.change), std::max(0.0, all.change)};
  const auto take = [&](double value) {
    if (!std::isfinite(value)) return;
    range.lower = std::min(range.lower, value);
    range.upper = std::max(range.upper, value);
  };
  for (const DotRow& row : rows) std::for_each(row.changes.begin(), row.changes.end(), take);
  if (all.interval) {
    take(all.interval->lower);
    take(all.interval->upper);
  }
  if (all.margins) {
    take(-1.5 * all.margins->ignore);
    take(1.1 * all.margins->matter);
  }
  return range;
}

/// Dots of one row, the first measured on top: a drift over the run shows as a slope.
void add_dots(pugi::xml_node svg, const PixelScale& x, double top, const DotRow& row) {
  const double step = (row_height(row) - 14) / static_cast<double>(std::max<std::size_t>(1, row.changes.size()));
  for (std::size_t i = 0; i < row.changes.size(); ++i) {
    if (!std::isfinite(row.changes[i])) continue;
    pugi::xml_node dot = svg.append_child("circle");
    dot.append_attribute("class") = row.past ? "past" : "dot";
    dot.append_attribute("cx") = fmt::format("{:.1f}", x.at(row.changes[i])).c_str();
    dot.append_attribute("cy") = fmt::format("{:.1f}", top + 7 + step * (static_cast<double>(i) + 0.5)).c_str();
    dot.append_attribute("r") = "3.6";
  }
}

/// No "-0 %".
std::string tick_text(double value) { return std::abs(value) < 1e-12 ? "0" : change_text(value); }

std::string row_sentence(const DotRow& row) {
  if (row.changes.empty()) return "";
  const auto [least, most] = std::minmax_element(row.changes.begin(), row.changes.end());
  return fmt::format("{}: {} from {} to {}. ", row.label, row.changes.size(), change_text(*least), change_text(*most));
}

void add_axis(pugi::xml_node svg, const PixelScale& x, const Ticks& ticks, const Heights& y) {
  for (double tick : ticks.at) {
    add_line(svg, {x.at(tick), y.bottom}, {x.at(tick), y.bottom + 4}, "axis");
    add_text(svg, {x.at(tick), y.bottom + 17}, "tick middle", tick_text(tick));
  }
  add_line(svg, {x.begin, y.bottom}, {x.end, y.bottom}, "axis");
}

}  // namespace

std::string interval_strip(const ChartName& name, const WorseChange& change) {
  constexpr double width = 170;
  constexpr double height = 22;
  ChartFrame frame = open_chart(name, {width, height}, change_sentence(change));
  const double reach = change.margins ? 2 * change.margins->matter : 2 * std::max(std::abs(change.change), 0.01);
  const PixelScale x{{-reach, reach}, 6, width - 6};
  add_line(frame.svg, {x.begin, height / 2}, {x.end, height / 2}, "grid");
  add_margins(frame.svg, x, {3, height - 3}, change.margins);
  add_change(frame.svg, x, height / 2, change);
  return chart_text(frame);
}

std::string dot_chart(const ChartName& name, const std::vector<DotRow>& rows, const WorseChange& all) {
  constexpr double width = 460;
  constexpr double top = 22;
  constexpr double change_height = 34;
  double bottom = top + change_height;
  std::string sentence;
  for (const DotRow& row : rows) {
    sentence += row_sentence(row);
    bottom += row_height(row);
  }
  ChartFrame frame = open_chart(name, {width, bottom + 38}, sentence + change_sentence(all));
  const Ticks ticks = ticks_over(range_of(rows, all));
  const PixelScale x{ticks.range, dot_label_width, width - axis_end_room};
  add_margins(frame.svg, x, {top, bottom}, all.margins);
  add_margin_names(frame.svg, x, top - 7, all.margins);
  double y = top;
  for (const DotRow& row : rows) {
    add_text(frame.svg, {0, y + row_height(row) / 2 + 4}, "label", row.label);
    add_dots(frame.svg, x, y, row);
    y += row_height(row);
  }
  add_text(frame.svg, {0, y + change_height / 2 + 4}, "label", "change");
  add_change(frame.svg, x, y + change_height / 2, all);
  add_axis(frame.svg, x, ticks, {top, bottom});
  add_text(frame.svg, {(x.begin + x.end) / 2, bottom + 34}, "tick middle", "change, + is worse");
  return chart_text(frame);
}

std::string suite_strip(const ChartName& name, const std::vector<CaseDot>& dots) {
  if (dots.size() < 2) return "";
  constexpr double width = 460;
  AxisRange range{-0.01, 0.01};
  for (const CaseDot& dot : dots) {
    range.lower = std::min(range.lower, dot.change);
    range.upper = std::max(range.upper, dot.change);
  }
  const Ticks ticks = ticks_over(range);
  const auto [best, worst] =
      std::minmax_element(dots.begin(), dots.end(), [](const auto& a, const auto& b) { return a.change < b.change; });
  ChartFrame frame = open_chart(name, {width, 82},
                                fmt::format("{}: from {} to {}, + is worse.", counted(dots.size(), "case"),
                                            change_text(best->change), change_text(worst->change)));
  const PixelScale x{ticks.range, axis_end_room, width - axis_end_room};
  add_line(frame.svg, {x.at(0), 4}, {x.at(0), 36}, "axis");
  for (std::size_t i = 0; i < dots.size(); ++i) {
    pugi::xml_node dot = frame.svg.append_child("circle");
    dot.append_attribute("class") = dots[i].tone == Tone::plain ? "dot" : tone_class("point", dots[i].tone).c_str();
    dot.append_attribute("cx") = fmt::format("{:.1f}", x.at(dots[i].change)).c_str();
    dot.append_attribute("cy") = fmt::format("{:.1f}", 10 + static_cast<double>(i % 3) * 10).c_str();
    dot.append_attribute("r") = "4";
    add_title(dot, dots[i].label + " " + change_text(dots[i].change));
  }
  add_axis(frame.svg, x, ticks, {4, 40});
  add_text(frame.svg, {(x.begin + x.end) / 2, 72}, "tick middle", "step time, change, + is worse; one dot a case");
  return chart_text(frame);
}

std::string share_bars(const ChartName& name, const std::vector<ShareBar>& bars) {
  constexpr double width = 460;
  constexpr double bar_left = 170;
  constexpr double pitch = 24;
  double whole = 0;
  std::string sentence;
  for (const ShareBar& bar : bars) {
    whole = std::max(whole, bar.share);
    sentence += fmt::format("{}{} {}", sentence.empty() ? "" : ", ", bar.label, share_text(bar.share));
  }
  ChartFrame frame = open_chart(name, {width, pitch * static_cast<double>(bars.size()) + 8}, sentence + ".");
  const PixelScale x{{0, std::max(whole, 1e-9)}, bar_left, width - 64};
  double y = 4;
  for (const ShareBar& bar : bars) {
    add_text(frame.svg, {0, y + 15}, "label", bar.label);
    add_rectangle(frame.svg, {bar_left, y + 3}, {std::max(bar_left + 1, x.at(bar.share)), y + 19}, "part s0");
    add_text(frame.svg, {x.at(bar.share) + 6, y + 15}, "tick", share_text(bar.share));
    y += pitch;
  }
  return chart_text(frame);
}

std::string plot_for_page(const ChartName& name, const std::string& svg) {
  ChartFrame frame;
  frame.document = std::make_unique<pugi::xml_document>();
  if (!frame.document->load_string(svg.c_str())) return "";
  frame.svg = frame.document->document_element();
  frame.svg.remove_child("style");
  const std::string sentence = frame.svg.child("title").text().get();
  frame.svg.remove_child("title");
  name_chart(frame.svg, name, sentence);
  return chart_text(frame);
}

}  // namespace stepgate
