// JSON as Google Benchmark writes it: counters that are not finite stand in it bare.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// `text` with every bare NaN, Infinity and their signed forms replaced by null, as long as they are: positions in
/// messages about the rest stay right. What stands between quotes is left alone.
std::string without_bare_non_finite(std::string_view text);

}  // namespace stepgate
