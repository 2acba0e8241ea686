#include "stats/mean_interval.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(MeanInterval, IsStudentsOwnSleepExample) {
  // Student (1908), additional hours of sleep of ten patients: mean 1.58, s 1.23; 95 % bounds as R's t.test gives them.
  const std::vector<double> hours = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  const MeanInterval found = mean_interval(hours, 0.95);
  EXPECT_NEAR(found.mean, 1.58, 1e-12);
  EXPECT_NEAR(found.lower, 0.7001142, 1e-7);
  EXPECT_NEAR(found.upper, 2.4598858, 1e-7);
}

TEST(MeanInterval, WidensWithTheLevel) {
  const std::vector<double> values = {1, 2, 4};
  const MeanInterval at95 = mean_interval(values, 0.95);
  const MeanInterval at99 = mean_interval(values, 0.99);
  EXPECT_LT(at99.lower, at95.lower);
  EXPECT_GT(at99.upper, at95.upper);
}

TEST(MeanInterval, RefusesWhatHasNoSpread) {
  EXPECT_THROW(mean_interval(std::vector<double>{1}, 0.95), std::domain_error);
  EXPECT_THROW(mean_interval(std::vector<double>{}, 0.95), std::domain_error);
  EXPECT_THROW(mean_interval(std::vector<double>{1, 2}, 1), std::domain_error);
  EXPECT_THROW(mean_interval(std::vector<double>{1, 2}, 0), std::domain_error);
}

}  // namespace
}  // namespace stepgate
