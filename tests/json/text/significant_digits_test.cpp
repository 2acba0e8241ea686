#include "json/text/significant_digits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stepgate {
namespace {

TEST(RoundedForBaseline, KeepsFiveSignificantDigits) {
  EXPECT_EQ(rounded_for_baseline(14512345.6), 14512000);
  EXPECT_EQ(rounded_for_baseline(9876.54321), 9876.5);
  EXPECT_EQ(rounded_for_baseline(0.0312345678), 0.031235);
  EXPECT_EQ(rounded_for_baseline(99999.9), 100000);
  EXPECT_EQ(rounded_for_baseline(-123456.7), -123460);
  EXPECT_EQ(rounded_for_baseline(12345), 12345);
  EXPECT_EQ(rounded_for_baseline(0), 0);
}

TEST(RoundedForBaseline, RoundingTwiceIsRoundingOnce) {
  for (double value = 1.23456789e-12; value < 1e15; value *= 1.0123) {
    const double once = rounded_for_baseline(value);
    EXPECT_EQ(rounded_for_baseline(once), once);
    EXPECT_NEAR(once / value, 1, 0.5e-4);
  }
}

TEST(RoundedForBaseline, LeavesNonFiniteValues) {
  EXPECT_TRUE(std::isnan(rounded_for_baseline(NAN)));
  EXPECT_EQ(rounded_for_baseline(INFINITY), INFINITY);
  EXPECT_EQ(rounded_for_baseline(std::numeric_limits<double>::denorm_min()), std::numeric_limits<double>::denorm_min());
}

}  // namespace
}  // namespace stepgate
