// The difference of two levels with its error, where neighbouring points depend on each other.
#pragma once

namespace stepgate {

/// One of two levels that are compared.
struct LevelSample {
  double count;
  double mean;
  double squares;  ///< sum of squared residuals
};

struct LevelDifference {
  double change;              ///< after minus before
  double standard_error;      ///< inflated
  double degrees_of_freedom;  ///< reduced by the same factor, at least 1

  /// Two-sided.
  double p_value() const;
  /// One-sided limit: the true change is larger with this confidence.
  double lower_bound(double confidence) const;
};

/// Pooled t with the variance of means inflated by g = (1 + rho) / (1 - rho), as for an autoregressive process of order
/// one, and degrees of freedom divided by g (Zwiers and von Storch, Journal of Climate 8 (1995)).
LevelDifference level_difference(const LevelSample& before, const LevelSample& after, double autocorrelation);

}  // namespace stepgate
