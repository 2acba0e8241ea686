#include "report/plot/plot_scale.h"

#include <algorithm>
#include <cmath>

namespace stepgate {
namespace {

/// A small plot has room for about this number of gaps between ticks.
constexpr double gaps = 5;

double step_for(double span) {
  const double rough = span / gaps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Ticks ticks_over(const AxisRange& data) {
  double lower = std::min(data.lower, data.upper);
  double upper = std::max(data.lower, data.upper);
  // One value, or values equal up to rounding, need a range around them that ticks can divide.
  const double least = std::max(std::abs(upper), std::abs(lower)) * 1e-6;
  if (upper - lower <= least) {
    const double room = upper == 0 ? 1 : std::abs(upper) * 0.05;
    lower -= room;
    upper += room;
  }
  const double step = step_for(upper - lower);
  const double first = std::floor(lower / step + 1e-9);
  const double last = std::ceil(upper / step - 1e-9);
  Ticks ticks{{first * step, last * step}, {}};
  for (double i = first; i <= last; ++i) ticks.at.push_back(i * step);
  return ticks;
}

double PixelScale::at(double value) const {
  const double inside = std::clamp(value, range.lower, range.upper);
  return begin + (end - begin) * (inside - range.lower) / (range.upper - range.lower);
}

}  // namespace stepgate
