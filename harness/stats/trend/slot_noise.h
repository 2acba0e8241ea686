// The error that points of one slot share: commits that were measured within half an hour share the state of the
// machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/trend/level_difference.h"
#include "stats/trend/level_sums.h"

namespace stepgate {

/// Two errors, of a point and of its slot, by the differences of neighbours: within a slot they hold the first alone,
/// between two slots both. A slot is a run of neighbouring points; if it comes back later, its error counts as another
/// one. The variance of slots is shrunk toward a prior, as that of a stored baseline is: 1 % with the weight of 4
/// slots (docs/design/statistics.md, "Series over time").
class SlotNoise {
 public:
  /// `slots` has the slot of each point, also of points that follow these values, or is empty where each has its own.
  /// Throws std::domain_error where one is missing.
  SlotNoise(std::span<const double> values, std::span<const std::size_t> slots);

  /// Whether points [begin, end) have a slot with more than one of them.
  bool is_shared(std::size_t begin, std::size_t end) const;
  /// Standard deviation of the differences of neighbouring slots, over sqrt(2); 0 where no slot is shared, and for
  /// fewer than 4 differences.
  double between_noise() const { return between_noise_; }
  /// Variance of the mean of points [begin, end), with both errors.
  double variance_of_mean(std::size_t begin, std::size_t end) const;
  /// The difference of two levels that lie side by side. The slot on their border is in both, and cancels as far.
  LevelDifference difference(const LevelSums& before, const LevelSums& after) const;

 private:
  double squares_of_slots(std::size_t begin, std::size_t end) const;
  std::size_t end_of_run(std::size_t point) const { return run_begins_[run_of_[point] + 1]; }

  std::vector<std::size_t> run_of_;      ///< for each point; empty where no slot is shared
  std::vector<std::size_t> run_begins_;  ///< first points, and the number of points
  std::vector<double> squares_before_;   ///< sum of the squared sizes of the runs before each one
  double between_noise_ = 0;
  double point_variance_ = 0;
  double slot_variance_ = 0;
  double point_freedom_ = 1;
  double slot_freedom_ = 1;
};

/// Noise of a point of a series whose level may change (difference_noise.h), at least that between slots: differences
/// within a slot are smaller than those of the series, and every other point would be a spike. `slots` has one for each
/// value, or is empty.
double noise_of_points(std::span<const double> values, std::span<const std::size_t> slots, double floor);

}  // namespace stepgate
