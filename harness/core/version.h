#pragma once

namespace stepgate {

/// Version of the program. Every record, baseline and report contains it.
inline constexpr const char* version = "0.1.0";

}  // namespace stepgate
