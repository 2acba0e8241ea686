#include "json/traces/trace_time.h"

#include <charconv>
#include <cmath>
#include <string>

namespace stepgate {
namespace {

/// Sums and differences of two times fit into 64 bits, as nanoseconds.
constexpr std::int64_t most_microseconds = 4'500'000'000'000'000;

/// Forms with an exponent, which no profiler writes for a time since an epoch.
std::optional<std::int64_t> from_any_form(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(std::abs(value) <= most_microseconds)) {
    return std::nullopt;
  }
  return std::llround(value * 1000);
}

}  // namespace

std::optional<std::int64_t> trace_time_ns(std::int64_t microseconds) {
  if (microseconds > most_microseconds || microseconds < -most_microseconds) return std::nullopt;
  return microseconds * 1000;
}

std::optional<std::int64_t> trace_time_ns(std::string_view microseconds) {
  const std::size_t point = microseconds.find('.');
  std::int64_t whole = 0;
  const std::string_view front = microseconds.substr(0, point);
  const auto [end, error] = std::from_chars(front.data(), front.data() + front.size(), whole);
  if (error != std::errc() || end != front.data() + front.size()) return from_any_form(microseconds);
  const std::optional<std::int64_t> ns = trace_time_ns(whole);
  if (!ns || point == std::string_view::npos) return ns;
  std::int64_t below = 0;
  std::int64_t unit = 100;
  for (const char digit : microseconds.substr(point + 1)) {
    if (digit < '0' || digit > '9') return from_any_form(microseconds);
    below += (digit - '0') * unit;
    unit /= 10;
  }
  return front.starts_with('-') ? *ns - below : *ns + below;
}

}  // namespace stepgate
