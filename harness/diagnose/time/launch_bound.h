// Does the host set the pace, because it needs longer to queue a step than the device to run it?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: launch-bound, an observation (is_observation) at any verdict. Silent where the host waits for data or for the
/// device (host syncs), and where the device has hardly any idle time: then another finding or none explains the pace.
std::vector<Finding> explain_launch_bound(const JudgedComparison& input);

}  // namespace stepgate
