// What `stepgate ablate` also measures, and --knobs names there.
#pragma once

#include <string_view>

namespace stepgate {

/// Besides single knobs: a whole mode against the mode below it, and the allocator, which --malloc sets.
inline constexpr std::string_view whole_process_mode = "process_mode";
inline constexpr std::string_view whole_host_mode = "host_mode";
inline constexpr std::string_view malloc_knob = "malloc";

}  // namespace stepgate
