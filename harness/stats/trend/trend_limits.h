// What a change of level must be to count.
#pragma once

#include <cstddef>

namespace stepgate {

/// The defaults are those of the tables in docs/trend_quality.md.
struct TrendLimits {
  double ignore_margin = 0.01;  ///< relative change that is ignored; |log change| must reach ln(1 + margin)
  double p = 1e-5;              ///< a change with a larger two-sided p is not confirmed
  double alarm_p = 1e-6;        ///< likewise while a series grows: it is tested again after each session
  std::size_t min_points = 4;   ///< fewest points on either side of a change
  double noise_floor = 0.0;     ///< least standard deviation of a point, ln units: the resolution of the timer
  /// One-sided: a drift is found where its lower limit at this level is beyond the ignore margin. Each session tests it
  /// twice, but tests of twenty sessions that overlap are few; chosen on simulated series (docs/trend_quality.md).
  double drift_p = 4e-4;
};

}  // namespace stepgate
