// Does a level grow with the steps, and by how much a step?
#pragma once

#include <cstdint>
#include <span>

#include "core/record/level_growth.h"

namespace stepgate {

/// With fewer points the slope depends on one or two pairs of steps, and the first allocations look like a leak.
inline constexpr std::size_t min_growth_levels = 5;

/// The growth of levels that were read at each step's end, at least `min_growth_levels` of them. `noise_floor` is that
/// of the metric: above 0 the level is noisy, and one rise that is four times any other is taken out.
///   per step: the Theil-Sen slope (stats/slope.h). Where it is below the floor and less than half of the steps have a
///   repeated rise, the sum of these rises over the number of steps: a level that rises seldom has a median slope of
///   about 0.
LevelGrowth growth_of_levels(std::span<const std::int64_t> levels, std::int64_t noise_floor);

/// What is stored and judged where nothing measured is compared with: whole units, 0 below the floor. Repeated rises
/// are at least 1, since a level that rises in every fourth step grows.
std::int64_t whole_growth(const LevelGrowth& growth, std::int64_t noise_floor);

}  // namespace stepgate
