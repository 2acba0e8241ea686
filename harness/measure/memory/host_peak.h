// The process's peak of resident memory, as the kernel keeps it.
#pragma once

#include <cstdint>
#include <optional>

namespace stepgate {

/// Bytes; absent if /proc/self/status has no VmHWM. getrusage is unsuitable: its ru_maxrss survives exec, so a small
/// process started by a large one would report the large one's peak.
std::optional<std::int64_t> host_peak_bytes();

}  // namespace stepgate
