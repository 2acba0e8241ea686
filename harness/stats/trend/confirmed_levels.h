// Which changes of a fit are real.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/trend/level_difference.h"
#include "stats/trend/level_sums.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {

/// The difference of two neighbouring levels, inflated by the autocorrelation of their own residuals.
LevelDifference neighbour_difference(const LevelSums& before, const LevelSums& after);

/// Joins levels until every change between neighbours holds, one change at a time, the weakest first and all rules anew
/// after each: a side with fewer than `min_points` points (the shortest first; of equal ones the smaller change), then
/// p above the limit (the largest first), then a change within the ignore margin (the smallest first). `changes` are
/// the first points of new levels, ascending. Takes O(n + k log k) for k changes.
std::vector<LevelSums> confirmed_levels(std::span<const double> values, const std::vector<std::size_t>& changes,
                                        const TrendLimits& limits);

}  // namespace stepgate
