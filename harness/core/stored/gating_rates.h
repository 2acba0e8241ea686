// Which rates a policy lets gate.
#pragma once

#include <string_view>
#include <vector>

#include "core/metric_row.h"
#include "core/stored/policy.h"

namespace stepgate {

/// Whether the policy lets this rate gate in this case.
bool gates_rate(const Policy& policy, std::string_view case_name, std::string_view metric);

/// The rates that gate in this case, in the order of the catalogue. Each row says that it gates.
std::vector<Metric> gating_rates_of(const Policy& policy, std::string_view case_name);

}  // namespace stepgate
