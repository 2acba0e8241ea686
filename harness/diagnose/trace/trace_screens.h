// Which parts of a trace's account are large enough to look at?
#pragma once

#include <vector>

#include "core/study/trace_account.h"

namespace stepgate {

/// One claim per part above its threshold, worth most first; likely at best, because a trace alone allows no
/// experiment. Thresholds and their sources: docs/design/trace_account.md.
std::vector<BottleneckVerdict> screened_parts(const TraceAccount& account);

}  // namespace stepgate
