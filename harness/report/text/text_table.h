// Cells of text as aligned lines, for tables that are printed as wide as they come.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stepgate {

enum class Align { left, right };

/// One line per row, two spaces between columns, nothing after the last character. Every row has as many cells as
/// `columns_aligned`; a column that is empty in all rows takes no room.
std::vector<std::string> table_of(const std::vector<std::vector<std::string>>& rows,
                                  const std::vector<Align>& columns_aligned);

}  // namespace stepgate
