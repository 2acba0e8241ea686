#include "stats/trend/series_analysis.h"

#include "stats/trend/change_range.h"
#include "stats/trend/confirmed_levels.h"
#include "stats/trend/difference_noise.h"
#include "stats/trend/optimal_segments.h"
#include "stats/trend/spike_filter.h"

namespace stepgate {
namespace {

Segment segment_of(const LevelSums& level) {
  const auto freedom = static_cast<double>(level.count() - 1);
  return {level.begin, level.end, level.mean, freedom > 0 ? level.squares / freedom : 0};
}

}  // namespace

SeriesAnalysis analyse_series(const std::vector<double>& log_values, const TrendLimits& limits) {
  SeriesAnalysis analysis{difference_noise(log_values, limits.noise_floor), {}, {}, {}};
  FilteredSeries filtered = filter_spikes(log_values, analysis.noise);
  analysis.spike = std::move(filtered.spike);
  const std::vector<double>& values = filtered.values;
  std::vector<std::size_t> changes;
  if (values.size() > 1) changes = optimal_changes(values, change_penalty(analysis.noise, values.size()));
  const std::vector<LevelSums> levels = confirmed_levels(values, changes, limits);
  analysis.autocorrelation = residual_autocorrelation(levels);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    analysis.segments.push_back(segment_of(levels[i]));
    if (i == 0) continue;
    const ChangeRange range =
        change_range(values, {levels[i - 1].begin, levels[i].begin, levels[i].end}, analysis.noise);
    const LevelDifference difference = neighbour_difference(levels[i - 1], levels[i]);
    analysis.changes.push_back(
        {levels[i].begin, range.earliest, range.latest, difference.change, difference.p_value()});
  }
  return analysis;
}

}  // namespace stepgate
