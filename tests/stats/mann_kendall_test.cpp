#include "stats/mann_kendall.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(MannKendall, IsTheStandardisedCountOfRises) {
  // 24 of the 28 pairs rise and 4 fall: S = 20, variance = 8 * 7 * 21 / 18.
  const std::vector<double> values = {10, 12, 11, 15, 40, 18, 19, 22};
  EXPECT_DOUBLE_EQ(mann_kendall_z(values), 19 / std::sqrt(8 * 7 * 21 / 18.0));
}

TEST(MannKendall, ChangesItsSignWithTheOrder) {
  const std::vector<double> rising = {1, 2, 3, 5, 4};
  const std::vector<double> falling = {4, 5, 3, 2, 1};
  EXPECT_GT(mann_kendall_z(rising), 0);
  EXPECT_DOUBLE_EQ(mann_kendall_z(falling), -mann_kendall_z(rising));
}

TEST(MannKendall, IsZeroWithoutATrend) {
  EXPECT_EQ(mann_kendall_z(std::vector{3.0, 3.0, 3.0}), 0);
  EXPECT_EQ(mann_kendall_z(std::vector{1.0, 2.0, 2.0, 1.0}), 0);
}

TEST(MannKendall, RefusesWhatHasNoOrder) {
  EXPECT_THROW(mann_kendall_z(std::vector<double>{}), std::domain_error);
  EXPECT_THROW(mann_kendall_z(std::vector{1.0}), std::domain_error);
  EXPECT_THROW(mann_kendall_z(std::vector{1.0, HUGE_VAL}), std::domain_error);
}

}  // namespace
}  // namespace stepgate
