#include "stats/linear_trend.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(LinearTrend, AgreesWithSciPy) {
  // scipy.stats.linregress, SciPy 1.17
  const std::vector<double> values{0.012, -0.003, 0.008, 0.015, 0.001, 0.021, 0.007, 0.018};
  const LinearTrend trend = linear_trend(values);
  EXPECT_NEAR(trend.slope, 0.001392857142857143, 1e-15);
  EXPECT_NEAR(trend.standard_error, 0.001252604995350257, 1e-14);
  EXPECT_EQ(trend.degrees_of_freedom, 6);
  EXPECT_NEAR(trend.p_value, 0.30871053592412123, 1e-12);
}

TEST(LinearTrend, IsTwoSided) {
  const std::vector<double> up{1, 2.1, 2.9, 4, 5.1, 6};
  std::vector<double> down;
  for (double value : up) down.push_back(-value);
  EXPECT_LT(linear_trend(up).p_value, 1e-4);
  EXPECT_DOUBLE_EQ(linear_trend(up).p_value, linear_trend(down).p_value);
  EXPECT_LT(linear_trend(down).slope, 0);
}

TEST(LinearTrend, AnExactLineHasAPValueOfZero) {
  EXPECT_EQ(linear_trend(std::vector<double>{1, 2, 3, 4}).p_value, 0);
  EXPECT_EQ(linear_trend(std::vector<double>{2, 2, 2, 2}).p_value, 1);
}

TEST(LinearTrend, RefusesTooLittle) {
  EXPECT_THROW(linear_trend({}), std::domain_error);
  EXPECT_THROW(linear_trend(std::vector<double>{1, 2}), std::domain_error);
  EXPECT_THROW(linear_trend(std::vector<double>{1, 2, std::numeric_limits<double>::infinity()}), std::domain_error);
}

}  // namespace
}  // namespace stepgate
