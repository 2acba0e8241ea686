// Finds where a series of results over time changed its level: noise, spikes, segments, confirmed changes, creep.
// Formulas, thresholds and their sources: docs/design/statistics.md, "Series over time". All values are natural
// logarithms, oldest first, so that differences are relative changes.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/trend/trend_limits.h"

namespace stepgate {

/// Points [begin, end) of one level.
struct Segment {
  std::size_t begin;
  std::size_t end;
  double level;     ///< mean of its points, ln units, spikes replaced
  double variance;  ///< sample variance of its points, spikes replaced; 0 for a single point
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
  double noise;                      ///< standard deviation of a point from the differences of neighbours
  std::vector<bool> spike;           ///< for each point: replaced by the median of its neighbours
  std::vector<Segment> segments;     ///< never empty; they cover the series without gaps
  std::vector<LevelChange> changes;  ///< one between each two neighbouring segments
  double autocorrelation = 0;        ///< between neighbours within a segment, corrected for its length; 0 to 0.9
};

/// Finds noise, spikes, exact segments, confirmed changes and the range in which each may lie. O(n) in practice.
/// Throws std::domain_error for an empty series or a value that is not finite.
SeriesAnalysis analyse_series(const std::vector<double>& log_values, const TrendLimits& limits);

/// The last level is higher than an earlier one by more than single changes explain.
struct Creep {
  std::size_t since_segment;  ///< the lowest level, index into SeriesAnalysis::segments
  double log_change;          ///< last level minus the lowest
  double lower_bound;         ///< one-sided 95 % limit of log_change
};

/// Compares the last confirmed level with the lowest confirmed level since `first_point`, the point after the last
/// acknowledged change: a ratchet on levels, never on single points. A segment counts if more than half of it lies at
/// or after `first_point`, because a later analysis may move a change by a few points. Both levels need 10 points:
/// creep is slow, and short levels are what chance makes of an unchanged series. Creep where the lower bound exceeds
/// ln(1 + creep_margin). Higher is worse; callers negate the values where lower is worse.
std::optional<Creep> find_creep(const SeriesAnalysis& analysis, std::size_t first_point, double creep_margin);

}  // namespace stepgate
