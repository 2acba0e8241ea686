// The margins that hold for one timed metric.
#pragma once

#include <string_view>

#include "core/stored/policy.h"

namespace stepgate {

/// The margins of a metric: those that the policy gives it; else the suite's, or the metric's own default
/// (core/metric.h) where that is wider.
Margins margins_of(const Policy& policy, std::string_view metric);

}  // namespace stepgate
