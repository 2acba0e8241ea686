// Cells of text as aligned lines, for tables that are not limited in width.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stepgate {

enum class Align { left, right };

/// One line per row, two spaces between columns, no trailing spaces. Every row has as many cells as `columns_aligned`;
/// a column that is empty in all rows is omitted.
std::vector<std::string> table_of(const std::vector<std::vector<std::string>>& rows,
                                  const std::vector<Align>& columns_aligned);

}  // namespace stepgate
