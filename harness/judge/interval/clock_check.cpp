#include "judge/interval/clock_check.h"

#include <cmath>
#include <optional>
#include <vector>

#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr const char* gpu_clock_metric = "gpu_clock_mhz";
/// Own choice: work that computes follows the clock in proportion, and the suite ignores 1 % of a step time. Clocks
/// move in steps of 15 MHz, which is just below.
constexpr double clock_tolerance = 0.01;

}  // namespace

ClockCheck check_clock(const ReferenceSides& sides) {
  const auto measured = sides.current.timed.find(gpu_clock_metric);
  const auto current = measured == sides.current.timed.end() ? std::nullopt : log_mean(measured->second);
  std::vector<double> stored;
  for (const auto& cluster : cluster_log_means(sides.clusters, gpu_clock_metric)) {
    if (cluster) stored.push_back(*cluster);
  }
  if (!current || stored.empty()) return {};
  const double stored_log = mean(stored);
  const double shift = *current - stored_log;
  const bool moved = std::abs(std::expm1(shift)) > clock_tolerance;
  return {.outcome = moved ? ClockCheck::Outcome::moved : ClockCheck::Outcome::still,
          .current_mhz = std::exp(*current),
          .stored_mhz = std::exp(stored_log),
          .explained = moved ? std::abs(shift) + std::log1p(clock_tolerance) : 0};
}

}  // namespace stepgate
