#include "stats/von_neumann.h"

#include <boost/math/distributions/beta.hpp>
#include <stdexcept>

#include "stats/sample.h"
#include "stats/summary.h"

namespace stepgate {

double von_neumann_ratio(std::span<const double> values) {
  require_sample(values, "von_neumann_ratio");
  if (values.size() < 2) throw std::domain_error("von_neumann_ratio: needs at least two values");
  const double centre = mean(values);
  double successive = 0;
  double total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    total += (values[i] - centre) * (values[i] - centre);
    if (i > 0) successive += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  }
  if (!(total > 0)) throw std::domain_error("von_neumann_ratio: all values are equal");
  return successive / total;
}

double von_neumann_p_value(double ratio, std::int64_t count) {
  if (count < 4) throw std::domain_error("von_neumann_p_value: needs at least four values");
  if (!(ratio >= 0 && ratio <= 4)) throw std::domain_error("von_neumann_p_value: ratio outside [0, 4]");
  const auto n = static_cast<double>(count);
  const double shape = ((n * n - 1) / (n - 2) - 1) / 2;
  return boost::math::cdf(boost::math::beta_distribution<double>(shape, shape), ratio / 4);
}

}  // namespace stepgate
