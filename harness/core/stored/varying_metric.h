// Metrics that a policy declares to differ between processes of the same code: no stored value can be held against
// them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.h"

namespace stepgate {

/// One entry of "varying". Patterns: * stands for any text, ? for one character.
struct VaryingMetrics {
  std::string cases;                 ///< pattern of case names
  std::vector<std::string> metrics;  ///< patterns of metric names
  std::string reason;
};

bool matches_pattern(std::string_view pattern, std::string_view name);

/// True for what processes are compared in exactly. Times vary in any case, and the final loss is judged over seeds.
bool may_vary(const Metric& metric);

/// The metrics of this case that the entries name. A pattern that matches "loss[*]" names all further losses, by the
/// name of their family.
std::set<std::string> varying_metrics(const std::vector<VaryingMetrics>& entries, std::string_view case_name);

/// Whether a metric is among what varying_metrics() gave, by its own name or by that of its family.
bool varies(const std::set<std::string>& varying, std::string_view metric);

/// The reason of the first entry that names the metric, "" where none does.
std::string reason_to_vary(const std::vector<VaryingMetrics>& entries, std::string_view case_name,
                           std::string_view metric);

}  // namespace stepgate
