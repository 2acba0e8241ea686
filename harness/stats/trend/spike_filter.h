// Single points that stand apart from both sides.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stepgate {

/// Neighbours on each side that decide whether a point is a spike.
inline constexpr std::size_t spike_neighbours = 3;

struct FilteredSeries {
  std::vector<double> values;  ///< spikes replaced by the median of their neighbours
  std::vector<bool> spike;     ///< for each point
};

/// A point is a spike if it differs from the median of up to three neighbours on each side by more than 4 noise, and no
/// run of three points that begins or ends with it has its median within 2 noise of it. The first points of a new level
/// are such a run, so a step stays; at the end of a series it stays from its second point on, where only one more point
/// makes its median. Thresholds: tables of docs/trend_quality.md.
FilteredSeries filter_spikes(std::span<const double> values, double noise);

/// The point as filter_spikes() returns it. At least two values.
double without_spike(std::span<const double> values, std::size_t i, double noise);

}  // namespace stepgate
