#include "stats/linear_trend.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stats/sample.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {

LinearTrend linear_trend(std::span<const double> values) {
  require_sample(values, "linear_trend");
  if (values.size() < 3) throw std::domain_error("linear_trend: needs at least three values");
  const auto n = static_cast<double>(values.size());
  const double middle = (n - 1) / 2;
  const double centre = mean(values);
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    const double y = values[i] - centre;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  LinearTrend trend{.slope = xy / xx, .standard_error = 0, .degrees_of_freedom = n - 2, .p_value = 1};
  const double residual = std::max(0.0, yy - xy * xy / xx);
  trend.standard_error = std::sqrt(residual / (n - 2) / xx);
  if (trend.standard_error > 0) {
    trend.p_value = 2 * student_t_upper_tail(std::abs(trend.slope) / trend.standard_error, n - 2);
  } else if (trend.slope != 0) {
    trend.p_value = 0;
  }
  return trend;
}

}  // namespace stepgate
