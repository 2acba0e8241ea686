#include "lab/table_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace stepgate::lab {

std::string show(const Share& share) {
  return fmt::format("{:.2f} % [{:.2f}, {:.2f}]", 100 * share.value, 100 * share.lower, 100 * share.upper);
}

RowWriter::RowWriter(const std::string& title, std::string table, std::string& csv)
    : table_(std::move(table)), csv_(csv) {
  fmt::print("\n{}\n", title);
}

void RowWriter::begin(const std::string& name) {
  name_ = name;
  line_ = fmt::format("{:<30}", name);
  head_ = fmt::format("{:<30}", "");
}

void RowWriter::cell(const std::string& column, const std::string& text) {
  const std::size_t width = std::max<std::size_t>(column.size(), text.size()) > 12 ? 26 : 14;
  line_ += fmt::format("{:>{}}", text, width);
  head_ += fmt::format("{:>{}}", column, width);
}

void RowWriter::share(const std::string& column, const Share& share) {
  cell(column, show(share));
  csv_ +=
      fmt::format("{},\"{}\",{},{:.6g},{:.6g},{:.6g}\n", table_, name_, column, share.value, share.lower, share.upper);
}

void RowWriter::number(const std::string& column, double value, int decimals) {
  cell(column, fmt::format("{:.{}f}", value, decimals));
  csv_ += fmt::format("{},\"{}\",{},{:.6g},,\n", table_, name_, column, value);
}

void RowWriter::percent(const std::string& column, double value) {
  cell(column, fmt::format("{:.2f} %", 100 * value));
  csv_ += fmt::format("{},\"{}\",{},{:.6g},,\n", table_, name_, column, value);
}

void RowWriter::end() {
  if (!std::exchange(head_printed_, true)) fmt::print("{}\n", head_);
  fmt::print("{}\n", line_);
  std::fflush(stdout);
}

}  // namespace stepgate::lab
