// The metric of operators for which the host would wait for a device.
#pragma once

#include <string_view>

namespace stepgate {

/// WorkCounts::device_calls has under the same name the operators, by boundary.
inline constexpr std::string_view would_sync_per_step = "would_sync_per_step";

}  // namespace stepgate
