// How many gating metrics a case can have: error shares are divided over them.
#pragma once

#include <cstdint>

namespace stepgate {

/// The most gating timed metrics of a case: M = this times the cases of the manifest.
std::int64_t gating_timed_metrics_per_case();

}  // namespace stepgate
