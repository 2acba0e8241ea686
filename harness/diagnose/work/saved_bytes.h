// Which operators keep more of forward for backward?
#pragma once

#include <string_view>

namespace stepgate {

inline constexpr std::string_view saved_bytes_per_step = "saved_bytes_per_step";

}  // namespace stepgate
