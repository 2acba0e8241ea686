#include <algorithm>
#include <cmath>

#include "stats/trend/level_difference.h"
#include "stats/trend/series_analysis.h"

namespace stepgate {
namespace {

constexpr double creep_confidence = 0.95;
/// Creep is slow, and can wait for its levels to be long. Levels of 4 to 9 points, tested anew after every session, are
/// what chance makes of an unchanged series (docs/trend_quality.md, "Creep").
constexpr std::size_t least_creep_points = 10;

bool is_long(const Segment& segment) { return segment.end - segment.begin >= least_creep_points; }

LevelSample sample_of(const Segment& segment) {
  const auto count = static_cast<double>(segment.end - segment.begin);
  return {count, segment.level, segment.variance * (count - 1)};
}

/// More than half of the segment lies at or after `first_point`.
bool lies_after(const Segment& segment, std::size_t first_point) {
  return first_point < segment.end && 2 * (segment.end - first_point) > segment.end - segment.begin;
}

}  // namespace

std::optional<Creep> find_creep(const SeriesAnalysis& analysis, std::size_t first_point, double creep_margin) {
  const std::size_t last = analysis.segments.size() - 1;
  std::size_t lowest = last;
  for (std::size_t i = 0; i < last; ++i) {
    if (!lies_after(analysis.segments[i], first_point) || !is_long(analysis.segments[i])) continue;
    if (analysis.segments[i].level < analysis.segments[lowest].level) lowest = i;
  }
  if (lowest == last || !is_long(analysis.segments[last])) return std::nullopt;
  const LevelDifference difference = level_difference(sample_of(analysis.segments[lowest]),
                                                      sample_of(analysis.segments[last]), analysis.autocorrelation);
  const double lower_bound = difference.lower_bound(creep_confidence);
  if (!(lower_bound > std::log1p(creep_margin))) return std::nullopt;
  return Creep{lowest, difference.change, lower_bound};
}

}  // namespace stepgate
