// Slope of a sequence that a few outliers do not move.
#pragma once

#include <span>

namespace stepgate {

/// Theil–Sen slope per index: median of (y_j - y_i) / (j - i) over all pairs i < j.
/// Theil, Proc. Kon. Ned. Akad. Wetensch. 53 (1950); Sen, JASA 63 (1968). Up to 29 % of the points may be outliers.
/// Takes O(n^2) time and memory: meant for tens to hundreds of points.
/// Throws std::domain_error for fewer than two values or a value that is not finite.
double theil_sen_slope(std::span<const double> values);

}  // namespace stepgate
