// Reads the chrome trace of PyTorch's profiler, as it comes from torch.profiler (Python), libkineto and stepgate
// itself. The text is parsed as a stream and never lies in memory: an event takes 32 bytes here and 200 to 700 in the
// file.
#pragma once

#include <filesystem>

#include "core/study/trace_events.h"
#include "json/traces/trace_limits.h"

namespace stepgate {

/// Reads what producers really write, JSON or not, and counts what it leaves out (docs/design/trace_account.md,
/// "Oddities"). Throws Error(usage), naming the file and what to do, where it cannot be read, is empty, cut off,
/// damaged, of another format, nested deeper than most_nested_levels, beyond `limits` or a limit of trace_limits.h, or
/// holds no event of the profiler.
TraceEvents read_trace_file(const std::filesystem::path& path, const TraceLimits& limits = {});

}  // namespace stepgate
