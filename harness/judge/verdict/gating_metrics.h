// How many gating metrics a case can have: error shares are divided over them.
#pragma once

#include <cstdint>

#include "core/device.h"

namespace stepgate {

/// The most gating timed metrics of a case on `device`: M = this times the cases of the manifest on it.
std::int64_t gating_timed_metrics_per_case(Device device);

}  // namespace stepgate
