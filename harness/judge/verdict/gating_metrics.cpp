#include "judge/verdict/gating_metrics.h"

#include <algorithm>

#include "core/catalogue/latency_metrics.h"
#include "core/catalogue/timed_metrics.h"

namespace stepgate {

std::int64_t gating_timed_metrics_per_case(Device device) {
  const std::size_t of_device = device == Device::cuda ? catalogue::gating_device_times.size() : 0;
  const std::size_t of_training = catalogue::gating_times.size() + of_device;
  // Where a case infers, only the first request is left of the times of a step.
  constexpr std::size_t of_inference = catalogue::gating_latencies.size() + 1;
  return static_cast<std::int64_t>(std::max(of_training, of_inference));
}

}  // namespace stepgate
