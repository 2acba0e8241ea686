#include "judge/rules/number_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace stepgate {
namespace {

TEST(NumberText, PercentKeepsSmallChangesVisible) {
  EXPECT_EQ(percent(0.0789), "+7.9 %");
  EXPECT_EQ(percent(-0.25), "-25.0 %");
  EXPECT_EQ(percent(0.00023), "+0.023 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(std::numeric_limits<double>::infinity()), "unbounded");
}

TEST(NumberText, AmountsCarryTheirUnit) {
  EXPECT_EQ(amount(20.3e6, "ns"), "20.3 ms");
  EXPECT_EQ(amount(1500, "ns"), "1.5 us");
  EXPECT_EQ(amount(2.5e9, "ns"), "2.5 s");
  EXPECT_EQ(amount(12, "ns"), "12 ns");
  EXPECT_EQ(amount(123456789, "bytes"), "123456789 bytes");
  EXPECT_EQ(amount(2155, "count"), "2155");
  EXPECT_EQ(amount(0.12345, "ratio"), "0.1235");
  EXPECT_EQ(amount(1600, "samples/s"), "1600 samples/s");
}

TEST(NumberText, BoundsAndCounts) {
  EXPECT_EQ(bounds({0.051, 0.102}), "[+5.1 %, +10.2 %]");
  EXPECT_EQ(signed_count(2), "+2");
  EXPECT_EQ(signed_count(-3), "-3");
  EXPECT_EQ(signed_count(0), "+0");
}

}  // namespace
}  // namespace stepgate
