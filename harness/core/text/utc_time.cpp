#include "core/text/utc_time.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

namespace stepgate {

std::optional<std::int64_t> unix_seconds(const std::string& utc) {
  std::tm parts{};
  const char* end = strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const auto seconds = static_cast<std::int64_t>(timegm(&parts));
  // strptime takes blanks and the 31st of February, which other texts of the same time would be.
  return seconds > 0 && utc_text(seconds) == utc ? std::optional(seconds) : std::nullopt;
}

std::optional<std::int64_t> unix_seconds_of_local(const std::string& local) {
  std::tm parts{};
  const char* end = strptime(local.c_str(), "%Y-%m-%dT%H:%M:%S%z", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const long offset_s = parts.tm_gmtoff;  // timegm() sets it to 0
  const auto seconds = static_cast<std::int64_t>(timegm(&parts)) - offset_s;
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

std::optional<std::int64_t> unix_seconds_without_zone(const std::string& local) {
  for (const char* form : {"%Y-%m-%d %H:%M:%S", "%Y/%m/%d-%H:%M:%S", "%m/%d/%y %H:%M:%S"}) {
    std::tm parts{};
    const char* end = strptime(local.c_str(), form, &parts);
    if (end == nullptr) continue;
    if (*end == '.') end += 1 + std::strspn(end + 1, "0123456789");
    const auto seconds = static_cast<std::int64_t>(timegm(&parts));
    if (*end == '\0' && seconds > 0) return seconds;
  }
  return std::nullopt;
}

std::string utc_text(std::int64_t unix_s) {
  const auto seconds = static_cast<std::time_t>(unix_s);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string age_text(std::int64_t seconds) {
  constexpr std::int64_t hour_s = 3600;
  if (seconds < hour_s) return std::to_string(std::max<std::int64_t>(0, seconds) / 60) + " min old";
  if (seconds < 48 * hour_s) return std::to_string(seconds / hour_s) + " h old";
  return std::to_string(seconds / (24 * hour_s)) + " days old";
}

}  // namespace stepgate
