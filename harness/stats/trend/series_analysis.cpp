#include "stats/trend/series_analysis.h"

#include <algorithm>
#include <utility>

#include "stats/trend/change_range.h"
#include "stats/trend/confirmed_levels.h"
#include "stats/trend/difference_noise.h"
#include "stats/trend/growing_alarms.h"
#include "stats/trend/optimal_segments.h"
#include "stats/trend/spike_filter.h"

namespace stepgate {
namespace {

std::vector<LevelSums> levels_between(const LevelPrefixes& prefixes, const std::vector<std::size_t>& changes,
                                      std::size_t count) {
  std::vector<LevelSums> levels;
  std::size_t begin = 0;
  for (const std::size_t change : changes) {
    levels.push_back(prefixes.sums(begin, change));
    begin = change;
  }
  levels.push_back(prefixes.sums(begin, count));
  return levels;
}

}  // namespace

SeriesAnalysis analyse_series(const std::vector<double>& log_values, const TrendLimits& limits,
                              std::span<const std::size_t> slots) {
  SeriesAnalysis analysis{noise_of_points(log_values, slots, limits.noise_floor), {}, {}, {}};
  FilteredSeries filtered = filter_spikes(log_values, analysis.noise);
  analysis.spike = std::move(filtered.spike);
  analysis.filtered = std::move(filtered.values);
  const std::vector<double>& values = analysis.filtered;
  const SlotNoise slot_noise(values, slots);
  const SlotNoise* shared = slot_noise.is_shared(0, values.size()) ? &slot_noise : nullptr;
  const std::span<const std::size_t> shared_slots = shared != nullptr ? slots : std::span<const std::size_t>();

  std::vector<std::size_t> last_begins(values.size(), 0);
  if (values.size() > 1) last_begins = last_level_begins(values, change_penalty(analysis.noise, values.size()));
  const LevelPrefixes prefixes(values, shared_slots);
  const std::vector<LevelSums> levels =
      confirmed_levels(levels_between(prefixes, changes_of_fit(last_begins, values.size()), values.size()),
                       {.limits = limits, .p = limits.p, .slots = shared});
  const WholeSeries whole{
      .values = log_values, .slots = shared_slots, .noise = analysis.noise, .fit = {prefixes, last_begins}};
  analysis.alarms = growing_alarms(whole, {.limits = limits, .p = limits.alarm_p, .slots = shared});
  for (std::size_t i = 0; i < levels.size(); ++i) {
    analysis.segments.push_back({levels[i].begin, levels[i].end, levels[i].mean});
    if (i == 0) continue;
    const ChangeRange range =
        change_range(values, {levels[i - 1].begin, levels[i].begin, levels[i].end}, analysis.noise);
    const LevelDifference difference = neighbour_difference(levels[i - 1], levels[i], shared);
    analysis.changes.push_back(
        {levels[i].begin, range.earliest, range.latest, difference.change, difference.p_value()});
  }
  return analysis;
}

}  // namespace stepgate
