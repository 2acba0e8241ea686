#include "core/text/utc_time.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(UtcTime, IsReadOrAbsent) {
  EXPECT_EQ(unix_seconds("1970-01-02T00:00:01Z"), 86'401);
  for (const char* other : {"", "soon", "2026-11-21", "2026-11-21T10:00:00Z or so", " 2026-11-21T10:00:00Z",
                            "2026-1-21T10:00:00Z", "2026-02-31T10:00:00Z"})
    EXPECT_FALSE(unix_seconds(other)) << other;
}

TEST(UtcTime, ALocalTimeHasItsOffset) {
  EXPECT_EQ(unix_seconds_of_local("1970-01-02T02:00:01+02:00"), 86'401);
  EXPECT_EQ(unix_seconds_of_local("1970-01-01T16:00:01-08:00"), 86'401);
  EXPECT_EQ(unix_seconds_of_local("1970-01-02T00:00:01Z"), 86'401);
  EXPECT_EQ(utc_text(86'401), "1970-01-02T00:00:01Z");
  for (const char* other : {"", "1970-01-02T02:00:01", "1970-01-02 02:00:01+02:00", "1970-01-02T02:00:01+02:00x"})
    EXPECT_FALSE(unix_seconds_of_local(other)) << other;
}

TEST(UtcTime, ATimeWithoutAZoneIsReadAsUtc) {
  for (const char* text :
       {"1970-01-02 00:00:01", "1970-01-02 00:00:01.965067", "1970/01/02-00:00:01", "01/02/70 00:00:01"})
    EXPECT_EQ(unix_seconds_without_zone(text), 86'401) << text;
  for (const char* other : {"", "soon", "1970-01-02", "1970-01-02 00:00:01 or so", "1970-01-02T00:00:01Z"})
    EXPECT_FALSE(unix_seconds_without_zone(other)) << other;
}

TEST(UtcTime, AgesAreShort) {
  EXPECT_EQ(age_text(-5), "0 min old");
  EXPECT_EQ(age_text(3599), "59 min old");
  EXPECT_EQ(age_text(26 * 3600), "26 h old");
  EXPECT_EQ(age_text(12 * 86'400), "12 days old");
}

}  // namespace
}  // namespace stepgate
