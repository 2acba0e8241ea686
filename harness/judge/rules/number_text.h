// Numbers as text for the sentences of a verdict.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/verdict/verdict.h"

namespace stepgate {

/// "+7.9 %", "-0.02 %": two significant digits below one percent, one decimal above.
std::string percent(double relative);

/// "[+5.1 %, +10.2 %]"
std::string bounds(const Interval& interval);

/// With its unit: "20.3 ms" for ns, "1536 bytes", "2155", four significant digits where not an integer.
std::string amount(double value, std::string_view unit);

/// "+2", "-3"
std::string signed_count(std::int64_t value);

}  // namespace stepgate
