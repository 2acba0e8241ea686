// The mean of a few observations with a confidence interval.
#pragma once

#include <span>

namespace stepgate {

struct MeanInterval {
  double mean = 0;
  double lower = 0;
  double upper = 0;
};

/// mean -+ t(1 - (1-level)/2, n-1) * s / sqrt(n) (Student, "The probable error of a mean", Biometrika 6 (1908)). For
/// differences of pairs it is the paired t interval; for logarithms, that of a ratio.
/// Throws std::domain_error for fewer than two values, one that is not finite, or a level outside (0, 1).
MeanInterval mean_interval(std::span<const double> values, double level);

}  // namespace stepgate
