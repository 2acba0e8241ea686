#include "judge/history/epoch_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "judge/history/history_limits.h"

namespace stepgate {
namespace {

double sign_of(const HistorySeries& series) { return series.direction == Direction::higher_is_better ? -1 : 1; }

HistoryChange exact_change(const HistorySeries& series, std::size_t index, double before, double now) {
  const bool rose = now > before;
  const bool worse = series.direction != Direction::neither && rose == (series.direction == Direction::lower_is_better);
  return {.index = index,
          .earliest = index,
          .latest = index,
          .change = before != 0 ? now / before - 1 : (rose ? 1 : -1) * std::numeric_limits<double>::infinity(),
          .worse = worse,
          .state = ChangeState::alert};
}

bool is_found_by(const LevelAlarm& alarm, const LevelChange& change) {
  const std::size_t apart = std::max(alarm.index, change.index) - std::min(alarm.index, change.index);
  const bool holds = change.earliest <= alarm.index && alarm.index <= change.latest;
  return (alarm.log_change > 0) == (change.log_change > 0) && (holds || apart <= history_quiet_points);
}

HistoryChange change_of(const LevelChange& change, bool certain, double sign) {
  return {.index = change.index,
          .earliest = change.earliest,
          .latest = change.latest,
          .change = std::expm1(sign * change.log_change),
          .worse = change.log_change > 0,
          .state = certain ? ChangeState::alert : ChangeState::waiting};
}

HistoryChange change_of(const LevelAlarm& alarm, double sign) {
  return {.index = alarm.index,
          .earliest = alarm.index,
          .latest = alarm.index,
          .change = std::expm1(sign * alarm.log_change),
          .worse = true,
          .state = ChangeState::alert,
          .of_earlier_analysis = true};
}

}  // namespace

std::vector<double> worse_up(const HistorySeries& series, const HistoryEpoch& epoch) {
  std::vector<double> logs;
  logs.reserve(epoch.points.size());
  const double sign = sign_of(series);
  for (const HistoryPoint& point : epoch.points) logs.push_back(sign * std::log(point.value));
  return logs;
}

TrendLimits limits_for(const HistorySeries& series, const HistoryEpoch& epoch, TrendLimits limits) {
  if (series.unit == MetricUnit::ns) limits.noise_floor = std::max(limits.noise_floor, 1 / epoch.points.front().value);
  return limits;
}

void take_analysis(const SeriesAnalysis& analysis, const HistorySeries& series, HistoryEpoch& epoch) {
  const double sign = sign_of(series);
  for (std::size_t i = 0; i < epoch.points.size(); ++i) epoch.points[i].spike = analysis.spike[i];
  for (const Segment& segment : analysis.segments)
    epoch.levels.push_back({segment.begin, segment.end, std::exp(sign * segment.level)});
  for (const LevelChange& change : analysis.changes) {
    const bool certain = std::any_of(analysis.alarms.begin(), analysis.alarms.end(),
                                     [&](const LevelAlarm& alarm) { return is_found_by(alarm, change); });
    epoch.changes.push_back(change_of(change, certain, sign));
  }
  for (const LevelAlarm& alarm : analysis.alarms) {
    const bool shown = std::any_of(analysis.changes.begin(), analysis.changes.end(),
                                   [&](const LevelChange& change) { return is_found_by(alarm, change); });
    if (alarm.log_change > 0 && !shown) epoch.changes.push_back(change_of(alarm, sign));
  }
  std::stable_sort(epoch.changes.begin(), epoch.changes.end(),
                   [](const HistoryChange& a, const HistoryChange& b) { return a.index < b.index; });
  if (series.direction != Direction::neither) return;
  for (HistoryChange& change : epoch.changes) change.worse = false;
}

void find_exact_changes(const HistorySeries& series, HistoryEpoch& epoch) {
  const std::vector<HistoryPoint>& points = epoch.points;
  epoch.levels.push_back({0, points.size(), points.front().value});
  bool agreed = points.front().spread == 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].spread != 0) continue;
    HistoryLevel& level = epoch.levels.back();
    if (!agreed) level.value = points[i].value;
    const bool differs = agreed && points[i].value != level.value;
    agreed = true;
    if (!differs) continue;
    epoch.changes.push_back(exact_change(series, i, level.value, points[i].value));
    level.end = i;
    epoch.levels.push_back({i, points.size(), points[i].value});
  }
  if (!epoch.changes.empty() && epoch.changes.back().index + 1 == points.size())
    epoch.changes.back().state = ChangeState::waiting;
}

}  // namespace stepgate
