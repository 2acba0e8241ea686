// Reads the chrome trace of PyTorch's profiler, as it comes from torch.profiler (Python), libkineto and stepgate
// itself. The text is parsed as a stream and never lies in memory: an event takes 48 bytes here and 200 to 700 in the
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "core/study/trace_events.h"

namespace stepgate {

struct TraceLimits {
  std::uint64_t text_bytes = std::uint64_t{4} << 30U;  ///< after decompression: some 10 million events
  std::size_t events = 20'000'000;                     ///< 1 GB of memory
};

/// Throws Error(usage), naming the file and what to do, where it cannot be read, is empty, cut off, damaged, not JSON,
/// nested deeper than most_nested_levels, beyond `limits`, no trace at all, or holds no event of the profiler.
TraceEvents read_trace_file(const std::filesystem::path& path, const TraceLimits& limits = {});

}  // namespace stepgate
