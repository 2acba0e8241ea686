// One place of observed work where a pattern is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stepgate {

/// One site where a pattern is.
struct PatternMatch {
  std::size_t site = 0;       ///< index into ObservedWork::sites: the operator that a mend takes away
  double calls_per_step = 0;  ///< calls of that site
  std::string text;           ///< what is there, with sizes, without boundary and line
  /// Further sites that the same mend takes away, with all that they call.
  std::vector<std::size_t> with = {};
};

}  // namespace stepgate
