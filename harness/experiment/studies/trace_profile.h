// `stepgate profile --trace FILE`: the account of a trace that another program recorded.
#pragma once

#include <filesystem>

#include "core/study/trace_account.h"

namespace stepgate {

/// Reads the trace and makes its account. Throws Error(usage) naming the file if it is not a trace, is cut off, damaged
/// or too large, or has no extent in time.
TraceAccount profile_trace(const std::filesystem::path& file);

}  // namespace stepgate
