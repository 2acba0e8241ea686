#include "json/text/significant_digits.h"

#include <array>
#include <charconv>
#include <cmath>

namespace stepgate {

double rounded_for_baseline(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  // Converts through decimal text: to_chars and from_chars are exact and ignore the locale.
  std::array<char, 64> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific,
                                     timed_significant_digits - 1);
  double rounded = value;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

}  // namespace stepgate
