// Which budgets of a policy hold for a case.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/stored/policy.h"

namespace stepgate {

/// Metric -> its highest allowed value: the budgets without an entry in `budget_cases`, and those whose entry names the
/// case.
std::map<std::string, double> budgets_of(const Policy& policy, std::string_view case_name);

}  // namespace stepgate
