#include "json/traces/trace_time.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(TraceTime, KeepsEveryNanosecondOfATimeSinceAnEpoch) {
  EXPECT_EQ(trace_time_ns("1712195495502094.513"), 1'712'195'495'502'094'513);
  EXPECT_EQ(trace_time_ns("4458676416788.07"), 4'458'676'416'788'070);
  EXPECT_EQ(trace_time_ns("12"), 12'000);
  EXPECT_EQ(trace_time_ns("0.0019"), 1);
  EXPECT_EQ(trace_time_ns("-1.5"), -1'500);
  EXPECT_EQ(trace_time_ns("1.5e3"), 1'500'000);
  EXPECT_EQ(trace_time_ns(std::int64_t{7}), 7'000);
}

TEST(TraceTime, SumsAndDifferencesFit) {
  constexpr std::int64_t most = 4'500'000'000'000'000'000;
  EXPECT_EQ(trace_time_ns("4500000000000000"), most);
  EXPECT_EQ(trace_time_ns("-4500000000000000"), -most);
  EXPECT_GT(most + most, most);
}

TEST(TraceTime, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "x", "1.x", "1e300", "99999999999999999", "nan", "4500000000000001", "-4500000000000001"}) {
    EXPECT_EQ(trace_time_ns(std::string_view(text)), std::nullopt) << text;
  }
  EXPECT_EQ(trace_time_ns(std::int64_t{1} << 62), std::nullopt);
}

}  // namespace
}  // namespace stepgate
