#include "report/gate/metric_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t gap = 2;

// No column takes more than this, however long its texts are; the numbers of a healthy report stay below.
constexpr std::size_t widest_metric = 32;
constexpr std::size_t widest_value = 18;
constexpr std::size_t widest_change = 48;
constexpr std::size_t widest_limit = 24;
/// A shorter name could not be read.
constexpr std::size_t narrowest_metric = 12;

std::string whole_change(const MetricCells& cells, const TableLayout& layout) {
  std::string text = cells.change;
  if (!layout.relative_dropped && !cells.relative.empty()) text += " " + cells.relative;
  if (!layout.interval_below && !cells.interval.empty()) text += " " + cells.interval;
  return text;
}

void measure(const std::vector<TableRow>& rows, TableLayout& layout) {
  layout.metric = columns("metric");
  layout.baseline = columns("baseline");
  layout.now = columns("now");
  layout.change = columns("change");
  layout.limit = layout.limit_below ? 0 : columns("limit");
  layout.verdict = columns("verdict");
  const auto widen = [](std::size_t& width, const std::string& text, std::size_t widest) {
    width = std::max(width, std::min(columns(text), widest));
  };
  for (const TableRow& row : rows) {
    widen(layout.metric, row.cells.metric, widest_metric);
    widen(layout.baseline, row.cells.baseline, widest_value);
    widen(layout.now, row.cells.now, widest_value);
    widen(layout.change, whole_change(row.cells, layout), widest_change);
    if (!layout.limit_below) widen(layout.limit, row.cells.limit, widest_limit);
    widen(layout.verdict, row.cells.verdict, widest_value);
  }
}

std::size_t total(const TableLayout& layout) {
  const std::size_t limit = layout.limit_below ? 0 : layout.limit + gap;
  return indent + layout.metric + layout.baseline + layout.now + layout.change + layout.verdict + 4 * gap + limit;
}

std::string line_of(const MetricCells& cells, const std::string& verdict, const TableLayout& layout) {
  const auto cut = [&](const std::string& text, std::size_t width) { return shortened(text, width, layout.ascii); };
  const std::string between(gap, ' ');
  std::string line(indent, ' ');
  line += padded_right(cut(cells.metric, layout.metric), layout.metric) + between;
  line += padded_left(cut(cells.baseline, layout.baseline), layout.baseline) + between;
  line += padded_left(cut(cells.now, layout.now), layout.now) + between;
  line += padded_right(cut(whole_change(cells, layout), layout.change), layout.change) + between;
  if (!layout.limit_below) line += padded_right(cut(cells.limit, layout.limit), layout.limit) + between;
  return line + verdict;
}

std::vector<std::string> wrapped_below(const std::string& text, const TableLayout& layout) {
  std::vector<std::string> lines;
  if (text.empty()) return lines;
  const std::string margin(indent + gap, ' ');
  const std::size_t room = layout.width > margin.size() + 20 ? layout.width - margin.size() : 20;
  for (const std::string& line : wrapped(text, room)) lines.push_back(margin + line);
  return lines;
}

/// "operators  REGRESSED", and below it "2 154 -> 2 155, +1 (+0.046 %), limit +0".
std::vector<std::string> stacked_lines(const TableRow& row, const TableLayout& layout, const std::string& painted) {
  const MetricCells& cells = row.cells;
  std::string below = fmt::format("{} -> {}", cells.baseline, cells.now);
  const auto add = [&](std::string_view what, const std::string& text) {
    if (!text.empty()) below += fmt::format(", {}{}", what, text);
  };
  add("", whole_change(cells, {}));
  add("limit ", cells.limit);
  add("", row.detail);
  const std::size_t used = indent + gap + columns(cells.verdict);
  const std::size_t room = std::max(narrowest_metric, layout.width - std::min(layout.width, used));
  std::vector<std::string> lines = {std::string(indent, ' ') + shortened(cells.metric, room, layout.ascii) +
                                    std::string(gap, ' ') + painted};
  for (std::string& line : wrapped_below(below, layout)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

TableLayout lay_out(const std::vector<TableRow>& rows, const TableSpace& space) {
  TableLayout layout;
  layout.width = space.width;
  layout.ascii = space.ascii;
  measure(rows, layout);
  if (total(layout) > space.width) {
    layout.interval_below = true;
    measure(rows, layout);
  }
  if (total(layout) > space.width) {
    layout.relative_dropped = true;
    measure(rows, layout);
  }
  if (total(layout) > space.width) {
    layout.limit_below = true;
    measure(rows, layout);
  }
  if (total(layout) > space.width) {
    const std::size_t excess = total(layout) - space.width;
    layout.metric = std::max(narrowest_metric, layout.metric - std::min(excess, layout.metric));
  }
  layout.stacked = total(layout) > space.width;
  return layout;
}

std::string table_heading(const TableLayout& layout, std::string_view compared_with) {
  const MetricCells heading{.metric = "metric",
                            .baseline = std::string(compared_with),
                            .now = "now",
                            .change = "change",
                            .relative = "",
                            .interval = "",
                            .limit = "limit",
                            .verdict = "verdict"};
  return line_of(heading, heading.verdict, layout);
}

std::vector<std::string> table_lines(const TableRow& row, const TableLayout& layout, const std::string& painted) {
  if (layout.stacked) return stacked_lines(row, layout, painted);
  std::vector<std::string> lines = {line_of(row.cells, painted, layout)};
  std::string below;
  const auto add = [&](const std::string& text) { below += (below.empty() || text.empty() ? "" : ", ") + text; };
  if (layout.interval_below && !row.cells.interval.empty()) add("interval " + row.cells.interval);
  if (layout.limit_below && !row.cells.limit.empty()) add("limit " + row.cells.limit);
  add(row.detail);
  for (std::string& line : wrapped_below(below, layout)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace stepgate
