#include "stats/slope.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(TheilSenSlope, AgreesWithSciPy) {
  // scipy.stats.theilslopes, 1.17.1
  const std::vector<double> values = {10, 12, 11, 15, 40, 18, 19, 22};
  EXPECT_DOUBLE_EQ(theil_sen_slope(values), 1.6666666666666667);
}

TEST(TheilSenSlope, IsExactOnALine) { EXPECT_EQ(theil_sen_slope(std::vector{7.0, 4.0, 1.0, -2.0}), -3.0); }

TEST(TheilSenSlope, IsNotMovedByOneSpike) {
  EXPECT_EQ(theil_sen_slope(std::vector{1.0, 1.0, 1.0, 1e9, 1.0, 1.0, 1.0}), 0.0);
}

TEST(TheilSenSlope, RefusesWhatHasNoSlope) {
  EXPECT_THROW(theil_sen_slope(std::vector<double>{}), std::domain_error);
  EXPECT_THROW(theil_sen_slope(std::vector{1.0}), std::domain_error);
  EXPECT_THROW(theil_sen_slope(std::vector{1.0, std::numeric_limits<double>::quiet_NaN()}), std::domain_error);
}

}  // namespace
}  // namespace stepgate
