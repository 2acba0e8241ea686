// How the share of a node ended.
#pragma once

#include <cstdint>
#include <string>

namespace stepgate {

struct ShardEnd {
  std::string unfit = {};   ///< why nothing was measured here; "" where the node is fit
  std::int64_t pairs = 0;   ///< pairs handed back
  std::int64_t rounds = 0;  ///< rounds of a sweep handed back
  int interrupted_by = 0;   ///< the number of a signal; what is complete was handed back
};

}  // namespace stepgate
