#include "environment/evidence/taint.h"

#include <fmt/format.h>

namespace stepgate {

std::map<std::string, double> default_taint_limits() {
  return {{"steal_fraction", 0.01},
          {"quota_throttled_periods", 0},
          {"swap_pages", 0},
          {"cpu_throttle_events", 0},
          {"affinity_changed", 0},
          {"numa_pages_migrated", 0},
          {"cpu_offline", 0},
          {"knobs_overwritten", 0},
          {"runqueue_wait_fraction", 0.05},
          {"foreign_busy_fraction", 0.1},
          {"gpu_hw_thermal_ns", 0},
          {"gpu_power_brake_ns", 0},
          {"other_gpu_processes", 0},
          {"gpu_clock_off_lock_fraction", 0.02}};
}

std::map<std::string, double> taint_limits_with(const std::map<std::string, double>& limits) {
  std::map<std::string, double> merged = limits;
  merged.merge(default_taint_limits());  // keeps what is there
  return merged;
}

std::vector<std::string> taint_reasons(const Evidence& evidence, const std::map<std::string, double>& limits) {
  std::vector<std::string> reasons;
  for (const auto& [key, limit] : limits) {
    const auto found = evidence.values.find(key);
    if (found == evidence.values.end() || found->second <= limit) continue;
    reasons.push_back(fmt::format("{} {:.3g} above {:.3g}", key, found->second, limit));
  }
  return reasons;
}

}  // namespace stepgate
