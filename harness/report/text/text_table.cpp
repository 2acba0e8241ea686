#include "report/text/text_table.h"

#include <algorithm>

#include "report/text/clean_text.h"

namespace stepgate {

std::vector<std::string> table_of(const std::vector<std::vector<std::string>>& rows,
                                  const std::vector<Align>& columns_aligned) {
  std::vector<std::size_t> widths(columns_aligned.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == 0) continue;
      const bool left = columns_aligned[i] == Align::left;
      line += (left ? padded_right(row[i], widths[i]) : padded_left(row[i], widths[i])) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace stepgate
