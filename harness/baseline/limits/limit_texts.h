// How values and lists of cases are written in a change of a limit.
#pragma once

#include <string>
#include <vector>

namespace stepgate {

/// "0.05", "1000000"; "none" for infinity, which stands for a limit that is not there.
std::string limit_text(double value);

/// "in a/b/c", "in 5 cases: a/b/c, a/b/d, a/b/e, ..."; "" for no case.
std::string cases_text(const std::vector<std::string>& cases);

}  // namespace stepgate
