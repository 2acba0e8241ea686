// Times of a chrome trace are decimal microseconds since some epoch: "1712195495502094.512". A double holds them only
// to a quarter of a microsecond, so they are read from their digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stepgate {

/// Nanoseconds; digits beyond the third decimal are dropped. Absent if `microseconds` is not a number, or more than
/// 142 years before or after 0, so that sums and differences of two times fit.
std::optional<std::int64_t> trace_time_ns(std::string_view microseconds);

/// The same of a whole number.
std::optional<std::int64_t> trace_time_ns(std::int64_t microseconds);

}  // namespace stepgate
