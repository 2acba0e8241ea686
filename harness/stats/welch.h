// Two groups with spreads of their own.
#pragma once

#include <span>

namespace stepgate {

struct WelchDifference {
  double difference = 0;  ///< mean of the second minus mean of the first
  double standard_error = 0;
  double degrees_of_freedom = 0;
};

/// se^2 = s_1^2/n_1 + s_2^2/n_2, nu = se^4 / sum((s^2/n)^2 / (n-1)) (Welch, Biometrika 34 (1947); Satterthwaite,
/// Biometrics Bulletin 2 (1946)). nu is 0 where neither group varies.
/// Throws std::domain_error for fewer than two values in a group or one that is not finite.
WelchDifference welch_difference(std::span<const double> first, std::span<const double> second);

}  // namespace stepgate
