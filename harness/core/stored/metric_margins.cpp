#include "core/stored/metric_margins.h"

#include <algorithm>
#include <string>

#include "core/metric.h"

namespace stepgate {

Margins margins_of(const Policy& policy, std::string_view metric) {
  const auto own = policy.metric_margins.find(std::string(metric));
  if (own != policy.metric_margins.end()) return own->second;
  const Metric* known = find_metric(metric);
  if (known == nullptr) return policy.margins;
  return {.ignore = std::max(policy.margins.ignore, known->ignore_margin),
          .matter = std::max(policy.margins.matter, known->matter_margin)};
}

}  // namespace stepgate
