#include "system/deadline.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace stepgate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_limit_s = 1e9;  // thirty years: so many nanoseconds and the time since boot fit into 63 bits

}  // namespace

std::string deadline_value(double limit_s) {
  const std::chrono::duration<double> limit(std::clamp(limit_s, 0.0, longest_limit_s));
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  return fmt::format("{:020}", std::chrono::nanoseconds(end.time_since_epoch()).count());
}

std::optional<double> seconds_to_deadline() {
  const char* variable = std::getenv(deadline_variable);
  const std::string_view text = variable == nullptr ? "" : variable;
  std::int64_t end_ns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), end_ns);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || end_ns < 0) return std::nullopt;
  const std::chrono::nanoseconds left(end_ns - std::chrono::nanoseconds(Clock::now().time_since_epoch()).count());
  return std::chrono::duration<double>(left).count();
}

}  // namespace stepgate
