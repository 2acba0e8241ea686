// The options of runs that are spread over nodes.
#pragma once

#include <vector>

#include "cli/options/option_table.h"

namespace stepgate {

/// The topic "Many machines" of option_table().
std::vector<OptionRow> node_rows();

}  // namespace stepgate
