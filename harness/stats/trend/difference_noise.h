// The noise of a series whose level may change.
#pragma once

#include <cstddef>
#include <span>

namespace stepgate {

/// Least noise that is assumed, ln units. Costs of segments below it are lost in rounding, and a change of a millionth
/// is below every margin.
inline constexpr double least_noise = 1e-6;

/// The noise of a series that grows is estimated by its first 20 points, and again each time that it is half as long
/// again: so an analysis of more points does what one of fewer points did. With fewer than 20 the median of the
/// differences is off by more than a quarter in every third series.
inline constexpr std::size_t first_noise_points = 20;
constexpr std::size_t next_noise_points(std::size_t points) { return points + points / 2; }

/// Standard deviation of a point: 1.4826 times the median absolute deviation of the differences of neighbours, over
/// sqrt(2). A change of level touches one difference only (von Neumann et al., Annals of Mathematical Statistics 12
/// (1941); median: Hampel, JASA 69 (1974)). At least `floor` and `least_noise`.
/// Throws std::domain_error for an empty series or a value that is not finite.
double difference_noise(std::span<const double> values, double floor);

}  // namespace stepgate
