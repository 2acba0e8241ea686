// Finds where a series of results over time changed its level: noise, spikes, segments, confirmed changes, alarms.
// Formulas, thresholds and their sources: docs/design/statistics.md, "Series over time". All values are natural
// logarithms, oldest first, so that differences are relative changes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/trend/level_alarms.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {

/// Points [begin, end) of one level.
struct Segment {
  std::size_t begin;
  std::size_t end;
  double level;  ///< mean of its points, ln units, spikes replaced
};

/// A confirmed change of level. It happened between the point before `earliest` and the point `latest`.
struct LevelChange {
  std::size_t index;     ///< first point of the new level
  std::size_t earliest;  ///< first point of the new level at the earliest ...
  std::size_t latest;    ///< ... and at the latest
  double log_change;     ///< level after minus level before
  double p;              ///< two-sided, inflated for autocorrelation
};

struct SeriesAnalysis {
  double noise;                         ///< standard deviation of a point from the differences of neighbours
  std::vector<bool> spike;              ///< for each point: replaced by the median of its neighbours
  std::vector<Segment> segments;        ///< never empty; they cover the series without gaps
  std::vector<LevelChange> changes;     ///< one between each two neighbouring segments
  std::vector<double> filtered = {};    ///< the points, spikes replaced
  std::vector<LevelAlarm> alarms = {};  ///< what analyses of fewer points found, oldest first
};

/// Finds noise, spikes, exact segments, confirmed changes, the range in which each may lie, and what a job would have
/// reported that analysed the series after every point. `slots` has the slot of each point; without it each has its
/// own. O(n) in practice. Throws std::domain_error for an empty series or a value that is not finite.
SeriesAnalysis analyse_series(const std::vector<double>& log_values, const TrendLimits& limits,
                              std::span<const std::size_t> slots = {});

}  // namespace stepgate
