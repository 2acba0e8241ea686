// Which parts of a trace's account are large enough to look at?
#pragma once

#include <string>
#include <vector>

#include "core/study/trace_account.h"

namespace stepgate {

/// One claim per part above its threshold, worth most first; likely at best, because a trace alone allows no
/// experiment. Thresholds and their sources: docs/design/trace_account.md.
std::vector<BottleneckVerdict> screened_parts(const TraceAccount& account);

/// What the largest part means and what to look at, where screened_parts() has no claim about it; "" where it has one.
std::string largest_part(const TraceAccount& account);

}  // namespace stepgate
