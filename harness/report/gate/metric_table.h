// Rows of metrics as aligned lines that fit a width, whatever the names are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/verdict.h"
#include "report/gate/metric_cells.h"

namespace stepgate {

/// How wide each column is and what had to leave the row to fit. One for a whole report, so that all cases align.
struct TableLayout {
  std::size_t metric = 0;
  std::size_t baseline = 0;
  std::size_t now = 0;
  std::size_t change = 0;
  std::size_t limit = 0;
  std::size_t verdict = 0;
  bool relative_dropped = false;  ///< the change in percent, which follows from the other columns
  bool interval_below = false;    ///< the interval has its own line, under its row
  bool limit_below = false;
  bool stacked = false;  ///< no columns: name and verdict on one line, the numbers below. Then there is no heading
  std::size_t width = 0;
  bool ascii = false;
};

struct TableRow {
  MetricCells cells;
  std::string detail;  ///< a sentence for the line below, "" for none
  Status status = Status::pass;
};

struct TableSpace {
  std::size_t width = 100;
  bool ascii = false;
};

TableLayout lay_out(const std::vector<TableRow>& rows, const TableSpace& space);

/// `compared_with`: what the second column holds; no wider than "baseline".
std::string table_heading(const TableLayout& layout, std::string_view compared_with = "baseline");

/// The row, then the lines that did not fit. `painted` is the verdict, in colour where colour is wanted.
std::vector<std::string> table_lines(const TableRow& row, const TableLayout& layout, const std::string& painted);

}  // namespace stepgate
