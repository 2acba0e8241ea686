// Points in time and ages as a person reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stepgate {

/// Seconds since 1970 of "2026-11-21T10:00:00Z"; absent if the text has another form.
std::optional<std::int64_t> unix_seconds(const std::string& utc);

/// Seconds since 1970 of a local time with its offset, "2026-11-21T12:00:00+02:00" or "...Z"; absent if the text has
/// another form.
std::optional<std::int64_t> unix_seconds_of_local(const std::string& local);

/// Seconds since 1970 of a time that names no zone, read as UTC: "2019-10-04 13:41:08", with or without a fraction of a
/// second, "2019/10/04-13:41:08" or "10/04/19 13:41:08" (month first). Absent if the text has another form.
std::optional<std::int64_t> unix_seconds_without_zone(const std::string& local);

/// "2026-11-21T10:00:00Z".
std::string utc_text(std::int64_t unix_s);

/// "12 min old", "26 h old", "12 days old".
std::string age_text(std::int64_t seconds);

}  // namespace stepgate
