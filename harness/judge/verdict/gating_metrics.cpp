#include "judge/verdict/gating_metrics.h"

#include <algorithm>

#include "core/metric.h"

namespace stepgate {

std::int64_t gating_timed_metrics_per_case() {
  const auto catalogue = metric_catalogue();
  return std::count_if(catalogue.begin(), catalogue.end(),
                       [](const Metric& metric) { return metric.tier == Tier::timed && metric.gates; });
}

}  // namespace stepgate
