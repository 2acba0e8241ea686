// What a metric is, and the catalogue of every metric that stepgate knows.
#pragma once

#include <span>
#include <string_view>

namespace stepgate {

/// How a metric is compared (docs/design/metrics.md, "Tiers").
enum class Tier { exact, bytes, timed, numeric };
enum class Direction { lower_is_better, higher_is_better, neither };
/// `portable` metrics mean the same on any CPU under the pins of group X; `runner` metrics only within a runner class.
enum class Scope { portable, runner };

struct Metric {
  std::string_view name;  ///< carries its unit, e.g. "step_time_ns"; the key in every file
  std::string_view unit;  ///< "ns", "bytes", "count", "tokens/s", "samples/s", "ratio", ""
  Direction direction;
  Tier tier;
  bool gates;              ///< decides the status of its case; the others explain
  std::string_view label;  ///< what a person reads, e.g. "step time"
};

/// Every known metric, in the order in which reports list them.
std::span<const Metric> metric_catalogue();

/// nullptr where no metric has that name.
const Metric* find_metric(std::string_view name);

std::string_view name_of(Tier tier);
std::string_view name_of(Direction direction);
std::string_view name_of(Scope scope);

}  // namespace stepgate
