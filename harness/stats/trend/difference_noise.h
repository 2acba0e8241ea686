// The noise of a series whose level may change.
#pragma once

#include <span>

namespace stepgate {

/// Least noise that is assumed, ln units. Costs of segments below it are lost in rounding, and a change of a millionth
/// is below every margin.
inline constexpr double least_noise = 1e-6;

/// Standard deviation of a point: 1.4826 times the median absolute deviation of the differences of neighbours, over
/// sqrt(2). A change of level touches one difference only (von Neumann et al., Annals of Mathematical Statistics 12
/// (1941); median: Hampel, JASA 69 (1974)). At least `floor` and `least_noise`.
/// Throws std::domain_error for an empty series or a value that is not finite.
double difference_noise(std::span<const double> values, double floor);

}  // namespace stepgate
