// Several tests at once.
#pragma once

#include <span>
#include <vector>

namespace stepgate {

/// Holm's step-down adjustment (Scandinavian Journal of Statistics 6 (1979)): rejecting where the adjusted p-value is
/// at most alpha keeps the probability of any false rejection at alpha, whatever the dependence. Same order as given.
/// Empty in, empty out. Throws std::domain_error for a value outside [0, 1].
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace stepgate
