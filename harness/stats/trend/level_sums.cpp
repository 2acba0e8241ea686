#include "stats/trend/level_sums.h"

#include <algorithm>
#include <stdexcept>

#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr double largest_autocorrelation = 0.9;  // beyond it, the inflation would exceed 19 and hide every change

/// Sum of products of neighbouring residuals about `mean` instead of the level's own mean. The residuals sum to 0, so
/// those without the last sum to -last, and those without the first to -first.
double products_about(const LevelSums& level, double mean) {
  const double shift = level.mean - mean;
  const double ends = (level.first - level.mean) + (level.last - level.mean);
  return level.products - shift * ends + static_cast<double>(level.count() - 1) * shift * shift;
}

}  // namespace

LevelSums level_sums(std::span<const double> values, std::size_t begin, std::size_t end) {
  if (begin >= end || end > values.size()) throw std::domain_error("level_sums: no points");
  const std::span<const double> points = values.subspan(begin, end - begin);
  LevelSums sums{begin, end, points.front(), points.back(), mean(points), 0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double residual = points[i] - sums.mean;
    sums.squares += residual * residual;
    if (i > 0) sums.products += residual * (points[i - 1] - sums.mean);
  }
  return sums;
}

LevelSums join_levels(const LevelSums& left, const LevelSums& right) {
  const auto left_count = static_cast<double>(left.count());
  const auto right_count = static_cast<double>(right.count());
  const double count = left_count + right_count;
  const double distance = right.mean - left.mean;
  LevelSums both{left.begin, right.end, left.first, right.last, left.mean + distance * right_count / count, 0, 0};
  both.squares = left.squares + right.squares + distance * distance * left_count * right_count / count;
  both.products = products_about(left, both.mean) + products_about(right, both.mean) +
                  (left.last - both.mean) * (right.first - both.mean);
  return both;
}

double residual_autocorrelation(std::span<const LevelSums> levels) {
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    squares += levels[i].squares;
    products += levels[i].products;
    if (i > 0) products += (levels[i - 1].last - levels[i - 1].mean) * (levels[i].first - levels[i].mean);
  }
  if (!(squares > 0)) return 0;
  const auto points = static_cast<double>(levels.back().end - levels.front().begin);
  const double correction = static_cast<double>(levels.size()) / points;
  return std::clamp(products / squares + correction, 0.0, largest_autocorrelation);
}

}  // namespace stepgate
