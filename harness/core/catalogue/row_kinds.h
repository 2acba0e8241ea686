// What rows of several tables share. docs/design/metrics.md says which metrics gate.
#pragma once

#include <string_view>

#include "core/metric_row.h"

namespace stepgate::catalogue {

inline constexpr auto lower = Direction::lower_is_better;
inline constexpr auto higher = Direction::higher_is_better;
inline constexpr auto neither = Direction::neither;
inline constexpr auto bytes = MetricUnit::bytes;
inline constexpr auto count = MetricUnit::count;
inline constexpr auto ns = MetricUnit::ns;
inline constexpr auto ratio = MetricUnit::ratio;

constexpr Metric counted(std::string_view name, MetricUnit unit, std::string_view label, std::string_view advice = "") {
  return {.name = name,
          .unit = unit,
          .direction = lower,
          .tier = Tier::exact,
          .gates = true,
          .label = label,
          .advice = advice};
}

/// A baseline without a value for it counts as 0.
constexpr Metric from_zero(Metric metric) {
  metric.reference = Reference::zero;
  return metric;
}

/// Anything above 0 is a fault, with a baseline or without one.
constexpr Metric never_any(Metric metric) {
  metric.reference = Reference::always_zero;
  return metric;
}

/// Differs from machine to machine, so it is shown and never stored.
constexpr Metric only_shown(Metric metric) {
  metric.reference = Reference::nothing;
  metric.gates = false;
  metric.scope = Scope::runner;
  return metric;
}

/// A fact that explains other metrics: compared, but it decides nothing.
constexpr Metric informative(Metric metric) {
  metric.gates = false;
  return metric;
}

constexpr Metric highest_rank(Metric metric) {
  metric.over_ranks = OverRanks::highest;
  return metric;
}

}  // namespace stepgate::catalogue
