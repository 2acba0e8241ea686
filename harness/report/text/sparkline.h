// A row of numbers as a row of blocks: "▁▂▁▁▂│██▇".
#pragma once

#include <string>
#include <vector>

namespace stepgate {

/// Earlier values, a bar, the values of now, all on one scale; "" for fewer than three finite values in all. The scale
/// spans at least 5 % of the smallest value, the default matter margin, so that noise does not look like a jump. At
/// most 40 values a side are shown, the newest ones.
std::string sparkline(const std::vector<double>& earlier, const std::vector<double>& now);

}  // namespace stepgate
