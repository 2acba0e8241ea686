#include "report/profile/operator_block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/text/number_format.h"
#include "report/profile/operator_lines.h"
#include "report/profile/page_block.h"
#include "report/profile/profile_text.h"
#include "report/text/clean_text.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

using OperatorCells = std::vector<std::string>;

/// What the operator and its place share, and the least with which both stand in one line.
constexpr std::size_t numbers_width = 36;
constexpr std::size_t least_for_place = 50;

/// Only where the page is wide enough and a place is known.
bool has_place_column(const ConsolePage& page, const std::vector<OperatorLine>& lines) {
  return page_width(page) >= page_indent + numbers_width + least_for_place &&
         std::ranges::any_of(lines, [](const OperatorLine& line) { return !line.where.empty(); });
}

/// Which columns the table has besides those that it always has.
struct OperatorColumns {
  bool place = false;
  bool roof = false;
  bool allocated = false;  ///< in the place of the roof
};

/// The third column.
std::string third_cell(const OperatorLine& line, OperatorColumns with) {
  if (with.allocated) return bytes_text(static_cast<double>(line.allocated_bytes));
  return with.roof ? roof_text(line) : "";
}

OperatorCells operator_cells(const Profile& profile, const OperatorLine& line, OperatorColumns with,
                             const ConsolePage& page) {
  constexpr std::size_t wider_bytes = 4;  // "1.25 MiB" and its heading, beside "% roof"
  const std::size_t left = page_width(page) - page_indent - numbers_width - (with.allocated ? wider_bytes : 0);
  const std::size_t name_width = with.place ? left / 2 : left;
  const auto cell = [&](const std::string& text, std::size_t width) {
    return shortened(page.clean(text), width, page.style().ascii);
  };
  return {self_time_text(profile, line.self_ns),
          calls_text(line),
          third_cell(line, with),
          cell(line.boundary, 10),
          cell(line.name, name_width),
          with.place ? place_cell(line.where, left - name_width - 2, page) : ""};
}

/// The place where it has no column, and how often it is called: beside the row if there is room, else below it.
void add_details(const OperatorLine& line, bool with_place, const ConsolePage& page, std::vector<std::string>& lines) {
  std::vector<std::string> details;
  if (!with_place && !line.where.empty()) details.push_back(line.where);
  if (!line.note.empty()) details.push_back(line.note);
  if (details.empty()) return;
  const std::string text = page.clean(fmt::format("{}", fmt::join(details, ", ")));
  const std::size_t width = page_width(page) - page_indent;
  if (with_place && columns(lines.back()) + 2 + columns(text) <= width) {
    lines.back() += "  " + text;
  } else {
    const std::string margin(std::min<std::size_t>(numbers_width, width / 3), ' ');
    lines.push_back(margin + shortened(text, width - margin.size(), page.style().ascii));
  }
}

}  // namespace

void add_operator_block(const Profile& profile, const OperatorView& asked, ConsolePage& page) {
  if (profile.operators.empty()) return;
  const OperatorView view = view_of(profile, asked);
  const auto all = operator_lines(profile.operators, view);
  const bool by_allocated = view.sort == OperatorSort::allocated;
  const OperatorColumns with{
      .place = has_place_column(page, all), .roof = have_roofs(all) && !by_allocated, .allocated = by_allocated};
  std::vector<OperatorCells> rows = {{"self ms", "calls",
                                      by_allocated ? "allocated"
                                      : with.roof  ? "% roof"
                                                   : "",
                                      "in", "operator", with.place ? "where" : ""}};
  const std::size_t shown = std::min(view.rows, all.size());
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(operator_cells(profile, all[i], with, page));
  const auto table = table_of(rows, {Align::right, Align::right, Align::right, Align::left, Align::left, Align::left});
  std::vector<std::string> lines = {table.front()};
  for (std::size_t i = 0; i < shown; ++i) {
    lines.push_back(table[i + 1]);
    add_details(all[i], with.place, page, lines);
  }
  if (all.size() > view.rows) lines.push_back(fmt::format("{} more: profile.json, or --rows", all.size() - view.rows));
  add_lines(page, "4 operator", lines);
  if (by_allocated && all.front().allocated_bytes == 0) {
    add_wrapped(page, "", "no operator's allocations were counted: group exact counts them on a CPU");
  }
  add_wrapped(page, "",
              (with.roof ? "c: FLOPs make its roof, b: bandwidth, o: mostly the price of a call. " : "") +
                  observer_text(profile));
  for (const std::string& low : profile.low_roofs) add_wrapped(page, "", low + "; so % roof is too good");
  if (profile.without_formula.empty()) return;
  add_wrapped(page, "", fmt::format("no FLOP formula: {}", fmt::join(profile.without_formula, ", ")));
}

}  // namespace stepgate
