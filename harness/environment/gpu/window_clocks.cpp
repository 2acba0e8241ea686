#include "environment/gpu/window_clocks.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stepgate {
namespace {

constexpr double khz_of_a_mhz = 1000;
constexpr double ns_per_us = 1000;

/// The mean of the readings from its begin to its end. In double, because the times of a record may be any numbers.
std::optional<std::int64_t> mean_khz(const ClockReadings& readings, const Window& window) {
  double sum_mhz = 0;
  double count = 0;
  for (const ClockReading& reading : readings) {
    const double since_ns = static_cast<double>(reading.time_ns) - static_cast<double>(*window.begin_us) * ns_per_us;
    if (since_ns < 0 || since_ns > static_cast<double>(window.wall_ns)) continue;
    sum_mhz += static_cast<double>(reading.mhz);
    count += 1;
  }
  return count > 0 ? std::optional<std::int64_t>(std::llround(sum_mhz / count * khz_of_a_mhz)) : std::nullopt;
}

}  // namespace

ClockReadings clock_readings(const GpuWindow& window) {
  ClockReadings readings;
  for (const GpuSample& sample : window.samples) {
    if (sample.idle.value != false || !sample.clock_mhz.value) continue;
    readings.push_back({.time_ns = sample.time_ns, .mhz = *sample.clock_mhz.value});
  }
  return readings;
}

void add_window_clocks(const std::vector<ClockReadings>& gpus, RunRecord& record) {
  for (auto& [name, pass] : record.timed) {
    for (Window& window : pass.windows) {
      window.gpu_clock_khz.reset();
      if (!window.begin_us) continue;
      for (const ClockReadings& readings : gpus) {
        const auto khz = mean_khz(readings, window);
        if (khz) window.gpu_clock_khz = std::min(window.gpu_clock_khz.value_or(*khz), *khz);
      }
    }
  }
}

}  // namespace stepgate
