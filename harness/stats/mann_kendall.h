// Whether values in the order measured rise or fall.
#pragma once

#include <span>

namespace stepgate {

/// Standardised Mann-Kendall statistic with continuity correction: (S - sign(S)) / sqrt(n(n-1)(2n+5)/18), where S is
/// the number of pairs that rise minus the number of pairs that fall (Mann, Econometrica 13 (1945); Kendall, Rank
/// Correlation Methods (1948)). About normal from 10 values on. Takes O(n^2) time.
/// Throws std::domain_error for fewer than two values or a value that is not finite.
double mann_kendall_z(std::span<const double> values);

}  // namespace stepgate
