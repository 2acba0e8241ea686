// Least squares through values in the order measured.
#pragma once

#include <span>

namespace stepgate {

struct LinearTrend {
  double slope = 0;  ///< per index
  double standard_error = 0;
  double degrees_of_freedom = 0;  ///< n - 2
  double p_value = 1;             ///< two-sided, of a slope of zero
};

/// Slope b = S_xy / S_xx over x = 0 .. n-1 with the t test of b = 0 (Draper and Smith, Applied Regression Analysis,
/// chapter 1). A line without residuals has a p-value of 0, or of 1 where it is level.
/// Throws std::domain_error for fewer than three values or one that is not finite.
LinearTrend linear_trend(std::span<const double> values);

}  // namespace stepgate
