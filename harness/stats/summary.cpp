#include "stats/summary.h"

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <vector>

#include "stats/sample.h"

namespace stepgate {

double quantile(std::span<const double> values, double probability) {
  return quantiles(values, std::span(&probability, 1)).front();
}

std::vector<double> quantiles(std::span<const double> values, std::span<const double> probabilities) {
  require_sample(values, "quantile");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> found;
  for (const double probability : probabilities) {
    if (!(probability >= 0 && probability <= 1)) throw std::domain_error("quantile: probability outside [0, 1]");
    const double position = static_cast<double>(sorted.size() - 1) * probability;
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    found.push_back(sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]));
  }
  return found;
}

double median(std::span<const double> values) {
  require_sample(values, "median");
  std::vector<double> copy(values.begin(), values.end());
  return boost::math::statistics::median(copy);
}

double median_absolute_deviation(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (double value : values) deviations.push_back(std::abs(value - centre));
  return median(deviations);
}

double robust_standard_deviation(std::span<const double> values) {
  constexpr double mad_to_sigma = 1.4826;  // 1 / the third quartile of the standard normal distribution
  return mad_to_sigma * median_absolute_deviation(values);
}

double mean(std::span<const double> values) {
  require_sample(values, "mean");
  return boost::math::statistics::mean(values.begin(), values.end());
}

double sample_variance(std::span<const double> values) {
  require_sample(values, "sample_variance");
  if (values.size() < 2) throw std::domain_error("sample_variance: needs at least two values");
  return boost::math::statistics::sample_variance(values.begin(), values.end());
}

}  // namespace stepgate
