// The options of `stepgate history`.
#pragma once

#include <vector>

#include "cli/options/option_table.h"

namespace stepgate {

/// The topic "History" of option_table().
std::vector<OptionRow> history_rows();

}  // namespace stepgate
