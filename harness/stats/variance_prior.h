// What the variances of many quantities, each seen a few times, say about each single one.
#pragma once

#include <span>

namespace stepgate {

/// A scaled inverse chi-square distribution of variances.
struct VariancePrior {
  double variance = 0;
  double degrees_of_freedom = 0;  ///< its weight, in observations: 0 where the variances have nothing in common
};

/// The prior that sample variances with `degrees_of_freedom` each were drawn from, by the moments of ln s^2, and at
/// most `most_degrees` heavy. With it (d0 s0^2 + d s^2) / (d0 + d) is the variance of a quantity with d0 + d degrees of
/// freedom (Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004), section 6.2). Variances of 0
/// are left out; with fewer than three others there is no prior.
/// Throws std::domain_error for a value that is negative or not finite, or degrees of freedom that are not above 0.
VariancePrior variance_prior(std::span<const double> variances, double degrees_of_freedom, double most_degrees);

/// The variance of one quantity under the prior.
inline double moderated_variance(double variance, double degrees_of_freedom, const VariancePrior& prior) {
  return (prior.degrees_of_freedom * prior.variance + degrees_of_freedom * variance) /
         (prior.degrees_of_freedom + degrees_of_freedom);
}

}  // namespace stepgate
