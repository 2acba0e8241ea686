#include "stats/variance_prior.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "stats/summary.h"

namespace stepgate {
namespace {

/// The half x of the degrees of freedom with trigamma(x) = value, at most `most`. trigamma falls from infinity to 0.
double half_degrees_with_trigamma(double value, double most) {
  if (value <= boost::math::trigamma(most)) return most;
  double low = 1e-3;
  double high = most;
  if (value >= boost::math::trigamma(low)) return low;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (boost::math::trigamma(middle) > value ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

VariancePrior variance_prior(std::span<const double> variances, double degrees_of_freedom, double most_degrees) {
  if (!(degrees_of_freedom > 0 && most_degrees > 0)) {
    throw std::domain_error("variance_prior: degrees of freedom must be above 0");
  }
  const double half = degrees_of_freedom / 2;
  std::vector<double> logs;  // ln s^2, without the bias of the logarithm of a chi-square
  for (const double variance : variances) {
    if (!(variance >= 0) || !std::isfinite(variance)) throw std::domain_error("variance_prior: not a variance");
    if (variance > 0) logs.push_back(std::log(variance) - boost::math::digamma(half) + std::log(half));
  }
  constexpr std::size_t fewest = 3;
  if (logs.size() < fewest) return {};
  const double spread = sample_variance(logs) - boost::math::trigamma(half);  // variance of the true ln variances
  const double prior_half = half_degrees_with_trigamma(spread, most_degrees / 2);
  return {.variance = std::exp(mean(logs) + boost::math::digamma(prior_half) - std::log(prior_half)),
          .degrees_of_freedom = 2 * prior_half};
}

}  // namespace stepgate
