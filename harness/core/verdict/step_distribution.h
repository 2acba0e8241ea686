// How the times of a boundary are spread over steps and processes: a description, not a test.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// What one value measures the time of.
enum class DistributionUnit { step, window, process, copy };
inline constexpr std::array<DistributionUnit, 4> all_distribution_units = {
    DistributionUnit::step, DistributionUnit::window, DistributionUnit::process, DistributionUnit::copy};

constexpr std::string_view name_of(DistributionUnit unit) {
  constexpr std::array<std::string_view, 4> names = {"step", "window", "process", "copy"};
  return names[static_cast<std::size_t>(unit)];
}
constexpr std::optional<DistributionUnit> distribution_unit_named(std::string_view name) {
  for (DistributionUnit unit : all_distribution_units) {
    if (name_of(unit) == name) return unit;
  }
  return std::nullopt;
}

/// Times in nanoseconds of one row of a report. Steps of one process depend on each other, so these figures support no
/// test: only processes are independent observations.
struct StepDistribution {
  std::string what;  ///< "step", "forward", "first step"; a boundary has its own name
  DistributionUnit unit = DistributionUnit::step;
  std::int64_t n = 0;
  std::int64_t processes = 0;  ///< how many gave these values
  double mean_ns = 0;
  double median_ns = 0;
  std::optional<double> sd_ns = std::nullopt;   ///< absent for one value
  std::optional<double> p95_ns = std::nullopt;  ///< absent below 20 values
  std::optional<double> p99_ns = std::nullopt;  ///< absent below 100 values
  double min_ns = 0;
  double max_ns = 0;

  bool operator==(const StepDistribution&) const = default;
};

/// A percentile needs so many values that one of them lies beyond it.
inline constexpr std::int64_t least_for_p95 = 20;
inline constexpr std::int64_t least_for_p99 = 100;

}  // namespace stepgate
