// Points of one level as sums that can be joined without the points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stepgate {

/// Sums over points [begin, end), which are one level.
struct LevelSums {
  std::size_t begin;
  std::size_t end;
  double first;      ///< value of the first point
  double last;       ///< value of the last point
  double mean;       ///< the level
  double squares;    ///< sum of squared residuals
  double products;   ///< sum of the products of neighbouring residuals
  double pairs;      ///< number of these products
  double pair_sums;  ///< sum of the residuals that they are made of
  std::size_t first_slot;
  std::size_t last_slot;

  std::size_t count() const { return end - begin; }
};

/// The sums of any stretch of a series, each in the same time. Neighbours of one slot share its error, so they say
/// nothing about the dependence of neighbours: their products are left out. Without slots each point has its own.
class LevelPrefixes {
 public:
  /// Throws std::domain_error where there are slots, and not one for each value.
  explicit LevelPrefixes(std::span<const double> values, std::span<const std::size_t> slots = {});

  /// Of points [begin, end). Throws std::domain_error where it is empty or ends behind the series.
  LevelSums sums(std::size_t begin, std::size_t end) const;

 private:
  struct Sums {
    double values = 0;
    double squares = 0;
    double products = 0;  ///< of each point and the one before it
    double pairs = 0;
    double pair_sums = 0;
  };

  std::size_t slot_of(std::size_t point) const { return slots_.empty() ? point : slots_[point]; }

  std::span<const double> values_;
  std::span<const std::size_t> slots_;
  double centre_ = 0;       ///< sums are of distances from it, so that no digits are lost
  std::vector<Sums> sums_;  ///< of the points before each one
};

/// As LevelPrefixes without slots, for one stretch.
LevelSums level_sums(std::span<const double> values, std::size_t begin, std::size_t end);

/// The sums of both as one level; `right` begins where `left` ends. Sums of squares as in Chan, Golub, LeVeque,
/// "Algorithms for computing the sample variance", The American Statistician 37 (1983).
LevelSums join_levels(const LevelSums& left, const LevelSums& right);

/// Correlation of neighbouring residuals of different slots over consecutive levels, plus 1 / mean length of a level
/// (residuals from a mean of n independent points have the correlation -1/n: Kendall, Biometrika 41 (1954)), within 0
/// and 0.9. 0 for residuals that are all 0.
double residual_autocorrelation(std::span<const LevelSums> levels);

}  // namespace stepgate
