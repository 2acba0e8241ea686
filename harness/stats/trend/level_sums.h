// Points of one level as sums that can be joined without the points.
#pragma once

#include <cstddef>
#include <span>

namespace stepgate {

/// Sums over points [begin, end), which are one level.
struct LevelSums {
  std::size_t begin;
  std::size_t end;
  double first;     ///< value of the first point
  double last;      ///< value of the last point
  double mean;      ///< the level
  double squares;   ///< sum of squared residuals
  double products;  ///< sum of the products of neighbouring residuals

  std::size_t count() const { return end - begin; }
};

/// Throws std::domain_error where [begin, end) is empty or not within `values`.
LevelSums level_sums(std::span<const double> values, std::size_t begin, std::size_t end);

/// The sums of both as one level; `right` begins where `left` ends. Sums of squares as in Chan, Golub, LeVeque,
/// "Algorithms for computing the sample variance", The American Statistician 37 (1983).
LevelSums join_levels(const LevelSums& left, const LevelSums& right);

/// Correlation of neighbouring residuals over consecutive levels, plus 1 / mean length of a level (residuals from a
/// mean of n independent points have the correlation -1/n: Kendall, Biometrika 41 (1954)), within 0 and 0.9. 0 for
/// residuals that are all 0.
double residual_autocorrelation(std::span<const LevelSums> levels);

}  // namespace stepgate
