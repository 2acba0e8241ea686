// The options of `stepgate profile`.
#pragma once

#include <vector>

#include "cli/options/option_table.h"

namespace stepgate {

/// The topic "Profile" of option_table().
std::vector<OptionRow> profile_rows();

}  // namespace stepgate
