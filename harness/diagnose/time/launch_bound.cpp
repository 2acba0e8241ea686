#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/questions.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// Below this share of the step other things than queueing take a tenth of it: data, or a device that is behind.
constexpr double least_enqueue_ratio = 0.9;
/// A device that is further behind than this when the last step is queued had work all the time.
constexpr double most_backlog = 0.1;
/// A device that idles less gains little from a faster host: both take about as long.
constexpr double least_idle = 0.1;
/// A driver holds about a thousand launches and then makes the host wait (CUDA documents no number). With ten times as
/// many kernels a step, a full queue is less than `most_backlog` of it, and a busy device looks like an idle one.
constexpr double most_kernels = 10'000;

std::optional<double> timed(const JudgedComparison& input, const std::string& metric) {
  const auto at = input.current.timed.find(metric);
  if (at == input.current.timed.end() || at->second.empty()) return std::nullopt;
  return median(at->second);
}

/// The highest mean per step over the processes; absent if not counted.
std::optional<double> counted_per_step(const JudgedComparison& input, const std::string& metric) {
  const auto at = input.current.exact.find(metric);
  if (at == input.current.exact.end()) return std::nullopt;
  std::optional<double> highest;
  for (const auto& sequence : at->second) {
    if (sequence.empty()) continue;
    const auto sum = std::accumulate(sequence.begin(), sequence.end(), std::int64_t{0});
    highest = std::max(highest.value_or(0), static_cast<double>(sum) / static_cast<double>(sequence.size()));
  }
  return highest;
}

bool waits_for_device(const JudgedComparison& input) {
  return counted_per_step(input, "host_syncs_per_step").value_or(0) > 0 ||
         counted_per_step(input, "device_syncs_per_step").value_or(0) > 0;
}

bool queue_may_be_full(const JudgedComparison& input) {
  return counted_per_step(input, "kernels_per_step").value_or(0) > most_kernels;
}

std::string device_text(const JudgedComparison& input, std::optional<double> idle, double step_ns) {
  if (idle) {
    return fmt::format("the device {} to run it and is idle for {} of the time", duration_text((1 - *idle) * step_ns),
                       share_text(*idle));
  }
  const double backlog_ns = timed(input, "device_backlog_ratio").value_or(0) * step_ns;
  return fmt::format("and the device has run it {} later", duration_text(backlog_ns));
}

}  // namespace

std::vector<Finding> explain_launch_bound(const JudgedComparison& input) {
  const auto enqueue_ns = timed(input, "enqueue_time_ns");
  const auto ratio = timed(input, "enqueue_ratio");
  const auto backlog = timed(input, "device_backlog_ratio");
  if (!enqueue_ns || !ratio || !backlog || *ratio < least_enqueue_ratio || *backlog > most_backlog) return {};
  const auto idle = timed(input, "device_idle_ratio");
  if (idle ? *idle < least_idle : queue_may_be_full(input)) return {};
  if (waits_for_device(input)) return {};
  const bool syncs_counted = counted_per_step(input, "host_syncs_per_step").has_value();
  return {{.code = FindingCode::launch_bound,
           .severity = Severity::note,
           .message = fmt::format("launch-bound: the host needs {} to queue a step, {}{}", duration_text(*enqueue_ns),
                                  device_text(input, idle, *enqueue_ns / *ratio),
                                  syncs_counted ? "" : " (or the step waits for it: host syncs were not counted)"),
           .advice = "kernels are too small or too many: larger batches, CUDA graphs or fused operators would help.",
           .metric = "enqueue_time_ns"}};
}

}  // namespace stepgate
