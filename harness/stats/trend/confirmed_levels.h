// Which changes of a fit are real.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/trend/level_difference.h"
#include "stats/trend/level_sums.h"
#include "stats/trend/slot_noise.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {

/// What a change must be to be confirmed, and the errors that points of one slot share.
struct Confirmation {
  const TrendLimits& limits;
  double p;                          ///< a change with a larger one is not confirmed
  const SlotNoise* slots = nullptr;  ///< null where each point has a slot of its own
};

/// The difference of two neighbouring levels, inflated by the autocorrelation of their own residuals. Where points of a
/// slot share an error, it is the less certain of this one and of that by the slots.
LevelDifference neighbour_difference(const LevelSums& before, const LevelSums& after, const SlotNoise* slots = nullptr);

/// Joins levels until every change between neighbours holds, one change at a time, the weakest first and all rules anew
/// after each: a side with fewer than `min_points` points (the shortest first; of equal ones the smaller change), then
/// p above the limit (the largest first), then a change within the ignore margin (the smallest first). The levels are
/// consecutive. Takes O(k log k) for k of them.
std::vector<LevelSums> confirmed_levels(std::vector<LevelSums> levels, const Confirmation& confirmation);

/// The same from the first points of new levels, ascending, where each point has a slot of its own.
std::vector<LevelSums> confirmed_levels(std::span<const double> values, const std::vector<std::size_t>& changes,
                                        const TrendLimits& limits);

}  // namespace stepgate
