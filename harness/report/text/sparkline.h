// A row of numbers as a row of blocks: "▁▂▁▁▂│██▇".
#pragma once

#include <string>
#include <vector>

namespace stepgate {

/// Earlier values, a bar, the current values, all on one scale; "" for fewer than three finite values in total. The
/// scale spans at least 5 % of the smallest value, the default matter margin, so that noise does not look like a jump.
/// Shows at most the newest 40 values per side.
std::string sparkline(const std::vector<double>& earlier, const std::vector<double>& now);

}  // namespace stepgate
