// The options of runs that compare two builds, seeds or settings of a sweep.
#pragma once

#include <vector>

#include "cli/options/option_table.h"

namespace stepgate {

/// The topic "Pairs, seeds and sweeps" of option_table().
std::vector<OptionRow> pair_rows();

}  // namespace stepgate
