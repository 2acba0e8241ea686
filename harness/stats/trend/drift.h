// A level that moves in steps of any size, as a job finds it that looks after every session.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/trend/trend_limits.h"

namespace stepgate {

/// The newest stretch of points lies above the lowest stretch of the same length before it.
struct Drift {
  std::size_t since;      ///< first point of the lowest stretch
  std::size_t stretch;    ///< points of either one: 10 or 20
  std::size_t found;      ///< points that the series had when two analyses running had found it
  double log_change;      ///< newest stretch minus the lowest one, then
  double lower_bound;     ///< one-sided 95 % limit of log_change
  double log_change_now;  ///< the last stretch of the series minus the same lowest one
};

/// A series as it was measured, natural logarithms, oldest first; higher is worse.
struct MeasuredSeries {
  std::span<const double> values;
  std::span<const std::size_t> slots = {};  ///< of the points; empty where each has its own
};

/// The first drift of the points from `first_point` on. It follows from the points up to `found` alone, so that points
/// to come, however noisy, do not take it back: spikes, too, are replaced by what was known then. The error is that of
/// neighbours' differences about their median, which a slope does not widen, with the dependence of neighbours by the
/// ratio of differences over two points and over one (docs/design/statistics.md, "Series over time").
std::optional<Drift> first_drift(const MeasuredSeries& series, std::size_t first_point, const TrendLimits& limits);

/// Variance that the mean of n points has n times: that of a point, inflated by the dependence of neighbours. At least
/// 3 values.
double long_run_variance(std::span<const double> values);

}  // namespace stepgate
