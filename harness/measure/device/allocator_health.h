// How a device's allocators fare beyond the bytes that they hold: did they run out, wait, or pin host memory anew?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stepgate {

/// Counts rise from the start of the process. A field is absent if the device keeps no such figure.
struct AllocatorHealth {
  std::optional<std::int64_t> retries = std::nullopt;             ///< cache freed, then asked the driver again
  std::optional<std::int64_t> ooms = std::nullopt;                ///< requests that failed after that too
  std::optional<std::int64_t> stream_syncs = std::nullopt;        ///< waits for all streams, to free cached blocks
  std::optional<std::int64_t> pinned_allocations = std::nullopt;  ///< pinned host blocks that the driver had to make
  std::optional<std::int64_t> pinned_ns = std::nullopt;           ///< host time of making and freeing these
  std::optional<std::int64_t> pinned_bytes = std::nullopt;        ///< pinned now, in use or cached
  std::optional<std::int64_t> peak_pinned_bytes = std::nullopt;   ///< the most of it since the start
  /// Device memory in use that this process's allocator did not reserve: contexts, libraries, other processes.
  std::optional<std::int64_t> outside_bytes = std::nullopt;
  /// Of the absent fields; a text that lasts as long as the process.
  std::string_view why_absent = "this device has no caching allocator and pins no host memory";
};

}  // namespace stepgate
