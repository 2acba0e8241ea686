// The units of metrics.
#pragma once

#include <array>
#include <string_view>

namespace stepgate {

enum class MetricUnit {
  none,
  ns,
  bytes,
  count,
  ratio,
  joule,
  megahertz,
  samples_per_s,
  steps_per_s,
  requests_per_s,
  tokens_per_s,
  bytes_per_s,
  tflop_per_s
};

/// The name that files and reports write; "" for a plain number.
constexpr std::string_view name_of(MetricUnit unit) {
  constexpr std::array<std::string_view, 13> names = {"",         "ns",      "bytes",     "count",   "ratio",
                                                      "J",        "MHz",     "samples/s", "steps/s", "requests/s",
                                                      "tokens/s", "bytes/s", "TFLOP/s"};
  return names[static_cast<std::size_t>(unit)];
}

/// Whether a value says how much is done in a second.
constexpr bool is_rate(MetricUnit unit) { return unit >= MetricUnit::samples_per_s; }

/// Whether a value depends on how long something took.
constexpr bool depends_on_time(MetricUnit unit) {
  return unit == MetricUnit::ns || unit == MetricUnit::joule || unit == MetricUnit::megahertz || is_rate(unit);
}

}  // namespace stepgate
