// Which requests of a process are far slower than its others, and what they have in common.
#pragma once

#include <optional>

#include "core/record/inference/request_times.h"
#include "core/record/inference/slow_requests.h"

namespace stepgate {

/// Requests that exceed the median by more than 6 robust standard deviations and by more than a quarter of it. They
/// come regularly where nine of ten groups of neighbours among them begin equally far apart. Absent for fewer than 20
/// requests.
std::optional<SlowRequests> find_slow_requests(const ClosedLoop& loop);

}  // namespace stepgate
