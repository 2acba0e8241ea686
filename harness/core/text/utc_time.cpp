#include "core/text/utc_time.h"

#include <algorithm>
#include <ctime>

namespace stepgate {

std::optional<std::int64_t> unix_seconds(const std::string& utc) {
  std::tm parts{};
  const char* end = strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const auto seconds = static_cast<std::int64_t>(timegm(&parts));
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

std::string age_text(std::int64_t seconds) {
  constexpr std::int64_t hour_s = 3600;
  if (seconds < hour_s) return std::to_string(std::max<std::int64_t>(0, seconds) / 60) + " min old";
  if (seconds < 48 * hour_s) return std::to_string(seconds / hour_s) + " h old";
  return std::to_string(seconds / (24 * hour_s)) + " days old";
}

}  // namespace stepgate
