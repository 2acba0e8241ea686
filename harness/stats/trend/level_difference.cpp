#include "stats/trend/level_difference.h"

#include <algorithm>
#include <cmath>

#include "stats/student_t.h"
#include "stats/trend/difference_noise.h"

namespace stepgate {

double LevelDifference::p_value() const {
  return 2 * student_t_upper_tail(std::abs(change) / standard_error, degrees_of_freedom);
}

double LevelDifference::lower_bound(double confidence) const {
  return change - student_t_quantile(confidence, degrees_of_freedom) * standard_error;
}

LevelDifference level_difference(const LevelSample& before, const LevelSample& after, double autocorrelation) {
  const double freedom = std::max(1.0, before.count + after.count - 2);
  const double inflation = (1 + autocorrelation) / (1 - autocorrelation);
  const double variance = std::max((before.squares + after.squares) / freedom, least_noise * least_noise);
  const double of_means = variance * inflation * (1 / before.count + 1 / after.count);
  return {after.mean - before.mean, std::sqrt(of_means), std::max(1.0, freedom / inflation)};
}

}  // namespace stepgate
