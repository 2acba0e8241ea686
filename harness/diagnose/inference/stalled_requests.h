// What slow requests add to a latency, over all processes of a side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/inference/slow_requests.h"
#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// Sums and means over the processes; `every` and `boundary` where more than half of them agree. Absent without one.
std::optional<SlowRequests> slow_requests_of(const std::vector<SlowRequests>& processes);

/// The red latency that a few requests explain, because the median rose by less than half as much (relative to what
/// each was): the mean, where requests far above the median add at least half of what it is longer beyond what they
/// added before; else P99. "" where there is none.
std::string stalled_latency(const JudgedComparison& input);

}  // namespace stepgate
