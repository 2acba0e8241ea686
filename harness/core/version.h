#pragma once

namespace stepgate {

/// Version of the program, stated in every record, baseline and report.
inline constexpr const char* version = "0.1.0";

}  // namespace stepgate
