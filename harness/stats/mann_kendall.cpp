#include "stats/mann_kendall.h"

#include <cmath>
#include <stdexcept>

#include "stats/sample.h"

namespace stepgate {

double mann_kendall_z(std::span<const double> values) {
  require_sample(values, "mann_kendall_z");
  if (values.size() < 2) throw std::domain_error("mann_kendall_z: needs at least two values");
  double rises = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) rises += (values[j] > values[i]) - (values[j] < values[i]);
  }
  const auto n = static_cast<double>(values.size());
  const double sigma = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  return rises == 0 ? 0 : std::copysign(std::abs(rises) - 1, rises) / sigma;
}

}  // namespace stepgate
