#include "judge/history/machine_share.h"

#include <algorithm>
#include <cmath>

#include "judge/history/epoch_changes.h"
#include "stats/trend/difference_noise.h"
#include "stats/trend/level_difference.h"
#include "stats/trend/spike_filter.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {
namespace {

constexpr std::size_t points_beside_change = 10;
constexpr double ratio_confidence = 0.95;
/// Own choice: what excuses an alert must be surer than what is excused, since nobody looks at it.
constexpr double move_confidence = 0.999;
constexpr double fewest_values = 2;

std::size_t place_of_point(const HistoryReport& report, const HistoryPoint& point) {
  return report.sessions[point.first_session].place;
}

std::vector<double> without_spikes(const std::vector<double>& values) {
  if (values.empty()) return {};
  return filter_spikes(values, difference_noise(values, 0)).values;
}

/// Those of the values whose points lie in the range.
LevelSample sample_in(const std::vector<double>& values, const std::vector<std::size_t>& points,
                      const PointRange& range) {
  const auto first = std::lower_bound(points.begin(), points.end(), range.begin);
  const auto last = std::lower_bound(first, points.end(), range.end);
  const auto from = static_cast<std::size_t>(first - points.begin());
  const auto to = static_cast<std::size_t>(last - points.begin());
  LevelSample sample{static_cast<double>(to - from), 0, 0};
  for (std::size_t i = from; i < to; ++i) sample.mean += values[i] / sample.count;
  for (std::size_t i = from; i < to; ++i) sample.squares += (values[i] - sample.mean) * (values[i] - sample.mean);
  return sample;
}

}  // namespace

RelativeSeries relative_to_reference(const WithReference& beside) {
  const std::vector<double> logs = worse_up(beside.series, beside.epoch);
  const std::vector<HistoryPoint>& references = beside.reference.points;
  RelativeSeries relative;
  std::size_t at = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const std::size_t place = place_of_point(beside.report, beside.epoch.points[i]);
    while (at < references.size() && place_of_point(beside.report, references[at]) < place) ++at;
    if (at == references.size() || place_of_point(beside.report, references[at]) != place) continue;
    // The reference is a time: where the case lost throughput, the same machine made the reference longer.
    relative.references.push_back(std::log(references[at].value));
    relative.measured_ratios.push_back(logs[i] - relative.references.back());
    relative.points.push_back(i);
  }
  relative.ratios = without_spikes(relative.measured_ratios);
  relative.references = without_spikes(relative.references);
  return relative;
}

ComparedRanges ranges_beside(const HistoryEpoch& epoch, const HistoryChange& change) {
  for (std::size_t i = 1; i < epoch.levels.size(); ++i) {
    if (epoch.levels[i].begin != change.index) continue;
    return {{epoch.levels[i - 1].begin, change.index}, {change.index, epoch.levels[i].end}};
  }
  const std::size_t begin = change.index - std::min(change.index, points_beside_change);
  return {{begin, change.index}, {change.index, std::min(change.index + points_beside_change, epoch.points.size())}};
}

MachineShare machine_share(const RelativeSeries& relative, const ComparedRanges& ranges, double log_change) {
  const LevelSample before = sample_in(relative.references, relative.points, ranges.before);
  const LevelSample after = sample_in(relative.references, relative.points, ranges.after);
  if (before.count < fewest_values || after.count < fewest_values) return {};
  const LevelDifference reference = level_difference(before, after, 0);
  if (!(reference.lower_bound(move_confidence) > 0)) return {};
  const LevelDifference ratio = level_difference(sample_in(relative.ratios, relative.points, ranges.before),
                                                 sample_in(relative.ratios, relative.points, ranges.after), 0);
  const bool little_is_left = ratio.lower_bound(ratio_confidence) <= std::log1p(TrendLimits{}.ignore_margin);
  return {.moved = reference.change, .explains = little_is_left && reference.change >= log_change / 2};
}

}  // namespace stepgate
