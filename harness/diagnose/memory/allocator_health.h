// Did the device's allocators run out, wait for the device, or pin host memory within a step?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: allocator-retried, allocation-failed, allocator-waited (a wait for all streams without a retry: someone
/// empties the cache), pinned-in-step. A cause where its metric is red; else a warning, and pinned-in-step a note.
std::vector<Finding> explain_allocator_health(const JudgedComparison& input);

}  // namespace stepgate
