#include "stats/trend/difference_noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/sample.h"
#include "stats/summary.h"

namespace stepgate {

double difference_noise(std::span<const double> values, double floor) {
  require_sample(values, "difference_noise");
  const double least = std::max(floor, least_noise);
  if (values.size() < 2) return least;
  std::vector<double> differences;
  differences.reserve(values.size() - 1);
  for (std::size_t i = 1; i < values.size(); ++i) differences.push_back(values[i] - values[i - 1]);
  return std::max(least, robust_standard_deviation(differences) / std::sqrt(2.0));
}

}  // namespace stepgate
