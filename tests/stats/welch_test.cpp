#include "stats/welch.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(Welch, AgreesWithSciPy) {
  // scipy.stats.ttest_ind(second, first, equal_var=False), SciPy 1.17: t = 4.944786525908974, df = 8.28935847739407
  const std::vector<double> first{20.1, 20.3, 19.9, 20.0, 20.4};
  const std::vector<double> second{21.0, 20.8, 21.9, 20.7, 21.3, 20.9, 22.0};
  const WelchDifference result = welch_difference(first, second);
  EXPECT_NEAR(result.difference, 1.0885714285714236, 1e-12);
  EXPECT_NEAR(result.difference / result.standard_error, 4.944786525908974, 1e-10);
  EXPECT_NEAR(result.degrees_of_freedom, 8.28935847739407, 1e-10);
}

TEST(Welch, GroupsWithoutSpreadHaveNoDegreesOfFreedom) {
  const WelchDifference result = welch_difference(std::vector<double>{2, 2}, std::vector<double>{3, 3, 3});
  EXPECT_EQ(result.difference, 1);
  EXPECT_EQ(result.standard_error, 0);
  EXPECT_EQ(result.degrees_of_freedom, 0);
}

TEST(Welch, RefusesTooLittle) {
  const std::vector<double> one{1};
  const std::vector<double> two{1, 2};
  const std::vector<double> broken{1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(welch_difference({}, two), std::domain_error);
  EXPECT_THROW(welch_difference(two, one), std::domain_error);
  EXPECT_THROW(welch_difference(two, broken), std::domain_error);
}

}  // namespace
}  // namespace stepgate
