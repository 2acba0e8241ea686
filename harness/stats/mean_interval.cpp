#include "stats/mean_interval.h"

#include <cmath>
#include <stdexcept>

#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {

MeanInterval mean_interval(std::span<const double> values, double level) {
  if (!(level > 0 && level < 1)) throw std::domain_error("mean_interval: the level must lie between 0 and 1");
  const auto n = static_cast<double>(values.size());
  const double centre = mean(values);
  const double standard_error = std::sqrt(sample_variance(values) / n);
  const double reach = student_t_upper_quantile((1 - level) / 2, n - 1) * standard_error;
  return {centre, centre - reach, centre + reach};
}

}  // namespace stepgate
