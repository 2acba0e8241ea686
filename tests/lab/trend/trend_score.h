// How well found changes agree with the true ones.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/trend/trend_series.h"
#include "stats/trend/series_analysis.h"

namespace stepgate::lab {

/// Sums over series.
struct TrendScore {
  std::int64_t points = 0;
  std::int64_t steps = 0;
  std::int64_t found = 0;
  std::int64_t matched = 0;         ///< pairs of a step and a found change at most 3 points apart, one to one
  std::int64_t false_changes = 0;   ///< is_false
  std::int64_t ranges_holding = 0;  ///< matched changes whose range holds the step
  std::int64_t range_points = 0;    ///< points in the ranges of matched changes

  TrendScore& operator+=(const TrendScore& other);
  double precision() const;  ///< 1 where nothing was found
  double recall() const;     ///< 1 where there are no steps
  double f1() const;
  double false_per_1000_points() const;
};

/// A change of level as found: [begin, index) is the level before, [index, end) the one after.
struct FoundChange {
  std::size_t begin;
  std::size_t index;
  std::size_t end;
  std::size_t earliest;
  std::size_t latest;
};

std::vector<FoundChange> found_changes(const SeriesAnalysis& analysis);

/// Whether the true level moves by less than the ignore margin between the two found levels, on average over each.
bool is_false(const StepSeries& series, const FoundChange& change);

TrendScore score_changes(const StepSeries& series, const std::vector<FoundChange>& changes);

}  // namespace stepgate::lab
