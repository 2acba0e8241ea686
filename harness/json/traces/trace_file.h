// Reads the chrome trace of PyTorch's profiler, as it comes from torch.profiler (Python), libkineto and stepgate
// itself. The text is parsed as a stream and never lies in memory: an event takes 48 bytes here and 200 to 700 in the
// file.
#pragma once

#include <filesystem>

#include "core/study/trace_events.h"
#include "json/traces/trace_limits.h"

namespace stepgate {

/// Throws Error(usage), naming the file and what to do, where it cannot be read, is empty, cut off, damaged, not JSON,
/// nested deeper than most_nested_levels, beyond `limits`, no trace at all, or holds no event of the profiler.
TraceEvents read_trace_file(const std::filesystem::path& path, const TraceLimits& limits = {});

}  // namespace stepgate
