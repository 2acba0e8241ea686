// The requests of one process that took far longer than its others: how many, how regularly, and where.
#pragma once

#include <cstdint>
#include <string>

namespace stepgate {

struct SlowRequests {
  std::int64_t requests = 0;  ///< of the process
  std::int64_t slow = 0;      ///< the number of those far above the median
  double typical_ns = 0;      ///< median of all requests
  double extra_ns = 0;        ///< by how much a slow one exceeds the median, in the mean
  std::int64_t every = 0;     ///< above 0: most of them are this many requests apart
  std::string boundary = {};  ///< where most of that time is spent; "" where none has half of it

  /// What they add to the mean of all requests.
  double share_of_mean_ns() const {
    return requests == 0 ? 0 : extra_ns * static_cast<double>(slow) / static_cast<double>(requests);
  }

  bool operator==(const SlowRequests&) const = default;
};

}  // namespace stepgate
