// What a change of level must be to count.
#pragma once

#include <cstddef>

namespace stepgate {

/// The defaults are those of the tables in docs/trend_quality.md.
struct TrendLimits {
  double ignore_margin = 0.01;  ///< relative change that is ignored; |log change| must reach ln(1 + margin)
  double p = 1e-5;              ///< a change with a larger two-sided p is not confirmed
  std::size_t min_points = 4;   ///< fewest points on either side of a change
  double noise_floor = 0.0;     ///< least standard deviation of a point, ln units: the resolution of the timer
};

}  // namespace stepgate
