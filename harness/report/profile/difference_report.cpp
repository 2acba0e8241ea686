#include "report/profile/difference_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "core/text/source_text.h"
#include "report/text/console_page.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

constexpr std::size_t most_shown_rows = 20;

/// "[+89 us, +115 us]".
std::string reach_cell(const DifferenceRow& row) {
  if (!row.lower_ns || !row.upper_ns) return "";
  return fmt::format("[{}, {}]", difference_text(MetricUnit::ns, *row.lower_ns),
                     difference_text(MetricUnit::ns, *row.upper_ns));
}

std::string calls_cell(const DifferenceRow& row) {
  if (row.base.calls == row.head.calls) return count_text(row.head.calls);
  return fmt::format("{} -> {}", count_text(row.base.calls), count_text(row.head.calls));
}

std::vector<std::string> difference_cells(const DifferenceRow& row, const ConsolePage& page) {
  return {"  " + std::string(name_of(row.change)),
          difference_text(MetricUnit::ns, row.difference_ns),
          reach_cell(row),
          calls_cell(row),
          page.clean(row.boundary),
          page.clean(row.name),
          row.at ? page.clean(source_text(*row.at)) : ""};
}

void add_difference_rows(const StepDifference& difference, ConsolePage& page) {
  std::vector<std::vector<std::string>> cells = {
      {"  work", "a step", "95 % interval", "calls", "boundary", "operator", "where"}};
  const std::size_t shown = std::min(difference.rows.size(), most_shown_rows);
  for (std::size_t i = 0; i < shown; ++i) cells.push_back(difference_cells(difference.rows[i], page));
  for (const std::string& line :
       table_of(cells, {Align::left, Align::right, Align::left, Align::right, Align::left, Align::left, Align::left})) {
    page.line(line);
  }
  if (shown < difference.rows.size())
    page.line(fmt::format("  {} more: difference.json", difference.rows.size() - shown));
}

/// Adds what single rows have to say beyond the table.
void add_operand_lines(const StepDifference& difference, ConsolePage& page) {
  for (std::size_t i = 0; i < std::min(difference.rows.size(), most_shown_rows); ++i) {
    const DifferenceRow& row = difference.rows[i];
    if (row.operands.empty()) continue;
    page.paragraph("tensors", fmt::format("{} {}: {}", row.boundary, row.name, fmt::join(row.operands, "; ")));
  }
}

}  // namespace

std::string render_difference(const StepDifference& difference, const ConsoleStyle& style) {
  ConsolePage page(style);
  const auto commit = [](const std::string& text) { return text.empty() ? "unknown commit" : short_commit(text); };
  page.line(fmt::format("difference  {}{}{} -> {}{}{}", page.clean(difference.case_name), page.separator(),
                        page.clean(commit(difference.base_commit)), page.clean(commit(difference.head_commit)),
                        page.separator(), counted(difference.pairs, "pair")));
  if (difference.rows.empty()) {
    page.line("  no operator differs");
  } else {
    add_difference_rows(difference, page);
  }
  page.blank();
  page.paragraph("sum", difference.says);
  page.paragraph("alike", fmt::format("all operators together x{:.2f} [{:.2f}, {:.2f}]: {}", difference.alike.ratio,
                                      difference.alike.lower, difference.alike.upper,
                                      difference.alike.differs ? "slower or faster alike, the machine or a setting"
                                                               : "within noise of the machine"));
  add_operand_lines(difference, page);
  for (const std::string& note : difference.notes) page.paragraph("note", note);
  return page.text();
}

}  // namespace stepgate
