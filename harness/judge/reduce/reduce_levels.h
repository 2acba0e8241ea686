// Does a level grow with the steps, and by how much a step?
#pragma once

#include <cstddef>
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

/// Which rises of a level are chunks, such as a block of memory that is filled over many steps.
struct ChunkLimits {
  std::int64_t least = 1;         ///< height of a chunk
  std::size_t begin_within = 0;   ///< the first one is among so many steps, and no gap between two is longer
  std::int64_t fewest_steps = 0;  ///< of fewer levels nothing is said: what fills and stays looks like growth
};

/// Growth by chunks that come in less than half of the steps: three or more rises of like size, each to a level that
/// lasts, and no stretch of steps without one that is longer than the longest between two of them. 0 where there are
/// fewer, since two may be the parts of a cache.
/// `begin_within`: the steps that every process is followed over. More are followed only where the level rose in one of
/// these, so chunks that come in the others alone do not count: whether they are seen depends on that rise. Nor do
/// chunks in longer gaps, of which that rise may be one by chance.
LevelGrowth growth_in_chunks(std::span<const std::int64_t> levels, const ChunkLimits& limits);

/// What is stored and judged where nothing measured is compared with: whole units, 0 below the floor. Repeated rises
/// are at least 1, since a level that rises in every fourth step grows.
std::int64_t whole_growth(const LevelGrowth& growth, std::int64_t noise_floor);

}  // namespace stepgate
