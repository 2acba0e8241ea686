// The piecewise constant fit of a series with the least cost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stepgate {

/// Cost of a change: 3 noise^2 ln(points). The criterion of Schwarz has 2 ln(points) for a change and its level (Yao,
/// Statistics and Probability Letters 6 (1988)); at 3, fewer changes are left to confirm.
double change_penalty(double noise, std::size_t points);

/// First points of the new levels, ascending, of the fit that minimises the sum of squared residuals plus `penalty` for
/// each change. Exact, by functional pruning (Maidstone, Hocking, Rigaill, Fearnhead, "On optimal multiple changepoint
/// algorithms for large data", Statistics and Computing 27 (2017), FPOP): for every level of the last segment it keeps
/// the least cost, as pieces of parabolas. O(n) in practice, O(n^2) at worst.
/// Throws std::domain_error for an empty series, a value that is not finite, or a penalty not above 0.
std::vector<std::size_t> optimal_changes(std::span<const double> values, double penalty);

/// The same fits of the points up to each one: for each point the first point of the last level. One pass finds them
/// all. Throws as optimal_changes().
std::vector<std::size_t> last_level_begins(std::span<const double> values, double penalty);

/// First points of the new levels, ascending, in the fit of the first `count` points, of those after `from`.
std::vector<std::size_t> changes_of_fit(std::span<const std::size_t> last_begins, std::size_t count,
                                        std::size_t from = 0);

}  // namespace stepgate
