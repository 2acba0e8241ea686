// The options of `stepgate profile`.
#pragma once

#include <vector>

#include "cli/options/option_table.h"

namespace stepgate {

/// Refuses an option of a profile beside --base-build: two builds are observed, and nothing is proven by experiments.
void need_single_build(const Options& options);

/// The topic "Profile" of option_table().
std::vector<OptionRow> profile_rows();

}  // namespace stepgate
