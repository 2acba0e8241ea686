// Whether a sample looks like two separate groups.
#pragma once

#include <cstdint>
#include <span>

namespace stepgate {

/// A sample cut in two.
struct TwoClusters {
  double separation = 0;  ///< sum of squares between the two groups over that within them
  double cut = 0;         ///< half-way between the groups
};

/// The cut with the largest ratio, over all cuts of the ordered values that leave at least two on each side, of the sum
/// of squares between the two groups to that within them (Engelman and Hartigan, JASA 64 (1969), without single
/// outliers). Infinite where both groups are constant; 0, cut at the value, where all values are equal. Throws
/// std::domain_error for fewer than four values or one that is not finite.
TwoClusters two_clusters(std::span<const double> values);

/// Value that the separation of `count` independent normal values exceeds with probability 1 %; simulated, 400 000
/// samples for each count from 6 to 16, and the value for 16 beyond that (where it only makes the test rarer to
/// reject). Throws std::domain_error for fewer than six values: four values split in two by chance too often to tell.
double cluster_separation_critical(std::int64_t count);

}  // namespace stepgate
