#include "core/stored/case_budgets.h"

#include <algorithm>

namespace stepgate {

std::map<std::string, double> budgets_of(const Policy& policy, std::string_view case_name) {
  std::map<std::string, double> found = policy.budgets;
  for (const auto& [metric, patterns] : policy.budget_cases) {
    const bool named = std::any_of(patterns.begin(), patterns.end(),
                                   [&](const std::string& pattern) { return matches_pattern(pattern, case_name); });
    if (!named) found.erase(metric);
  }
  return found;
}

}  // namespace stepgate
