// JSON as Google Benchmark writes it: a counter that is not finite appears as NaN or Infinity without quotes.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// `text` with null in place of every unquoted NaN, Infinity and their signed forms. The length does not change, so
/// positions in error messages stay right. Quoted text does not change.
std::string without_bare_non_finite(std::string_view text);

}  // namespace stepgate
