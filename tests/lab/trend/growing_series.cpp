#include "lab/trend/growing_series.h"

#include <algorithm>

namespace stepgate::lab {
namespace {

constexpr std::size_t same_change = 5;  // points

bool has_near(const std::vector<Alarm>& alarms, std::size_t place) {
  return std::any_of(alarms.begin(), alarms.end(), [&](const Alarm& other) {
    return std::max(other.change.index, place) - std::min(other.change.index, place) <= same_change;
  });
}

}  // namespace

std::vector<Alarm> alarms_of(const std::vector<double>& values, const std::vector<std::size_t>& slots) {
  std::vector<Alarm> alarms;
  for (const LevelAlarm& alarm : analyse_series(values, {}, slots).alarms) {
    if (has_near(alarms, alarm.index)) continue;
    alarms.push_back({alarm.found, {alarm.begin, alarm.index, alarm.found, alarm.index, alarm.index}});
  }
  return alarms;
}

std::optional<Drift> first_drift_alarm(const std::vector<double>& values) { return first_drift({values}, 0, {}); }

std::optional<std::size_t> first_red(const std::vector<double>& values) {
  const SeriesAnalysis analysis = analyse_series(values, {});
  std::optional<std::size_t> first;
  if (const auto drift = first_drift({values}, 0, {})) first = drift->found;
  for (const LevelAlarm& alarm : analysis.alarms) {
    if (alarm.log_change > 0 && (!first || alarm.found < *first)) first = alarm.found;
  }
  return first;
}

}  // namespace stepgate::lab
