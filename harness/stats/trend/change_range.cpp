#include "stats/trend/change_range.h"

#include <algorithm>
#include <vector>

#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr double slack_noise_squares = 4;

/// For each t in (begin, end): how much less the sum of squared residuals is with a change at t than without one.
std::vector<double> gains_by_change(std::span<const double> points) {
  const double centre = mean(points);
  const auto count = static_cast<double>(points.size());
  std::vector<double> gains;
  gains.reserve(points.size() - 1);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    sum += points[i] - centre;
    const auto before = static_cast<double>(i + 1);
    gains.push_back(sum * sum * count / (before * (count - before)));
  }
  return gains;
}

}  // namespace

ChangeRange change_range(std::span<const double> values, const LevelPair& levels, double noise) {
  const std::vector<double> gains = gains_by_change(values.subspan(levels.begin, levels.end - levels.begin));
  const double enough = *std::max_element(gains.begin(), gains.end()) - slack_noise_squares * noise * noise;
  ChangeRange range{levels.index, levels.index};
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (!(gains[i] > enough)) continue;
    const std::size_t change = levels.begin + i + 1;
    range.earliest = std::min(range.earliest, change);
    range.latest = std::max(range.latest, change);
  }
  return range;
}

}  // namespace stepgate
