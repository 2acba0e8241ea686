#include "core/stored/gating_rates.h"

#include <algorithm>
#include <string>

#include "core/metric.h"
#include "core/stored/varying_metric.h"

namespace stepgate {

bool gates_rate(const Policy& policy, std::string_view case_name, std::string_view metric) {
  const auto entry = policy.gating_rates.find(std::string(metric));
  return entry != policy.gating_rates.end() &&
         std::any_of(entry->second.begin(), entry->second.end(),
                     [&](const std::string& pattern) { return matches_pattern(pattern, case_name); });
}

std::vector<Metric> gating_rates_of(const Policy& policy, std::string_view case_name) {
  std::vector<Metric> rates;
  if (policy.gating_rates.empty()) return rates;
  for (const Metric& metric : metric_catalogue()) {
    if (metric.shares_test_of.empty() || !gates_rate(policy, case_name, metric.name)) continue;
    rates.push_back(metric);
    rates.back().gates = true;
  }
  return rates;
}

}  // namespace stepgate
