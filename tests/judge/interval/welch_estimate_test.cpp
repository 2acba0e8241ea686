#include "judge/interval/welch_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace stepgate {
namespace {

TEST(WelchEstimate, IsWelchsDifferenceOfLogs) {
  // SciPy 1.17: t = 4.944786525908974, nu = 8.28935847739407 (tests/stats/welch_test.cpp).
  const std::vector<double> base{20.1, 20.3, 19.9, 20.0, 20.4};
  const std::vector<double> head{21.0, 20.8, 21.9, 20.7, 21.3, 20.9, 22.0};
  const Estimate estimate = welch_estimate(base, head);
  EXPECT_NEAR(estimate.theta / estimate.standard_error, 4.944786525908974, 1e-10);
  EXPECT_NEAR(estimate.degrees_of_freedom, 8.28935847739407, 1e-10);
}

TEST(WelchEstimate, WhatCannotBeJudgedIsInconclusive) {
  const std::vector<double> fine{0.1, 0.2, 0.15};
  const std::vector<double> single{0.1};
  const std::vector<double> constant{0.1, 0.1, 0.1};
  const std::vector<double> broken{0.1, std::numeric_limits<double>::quiet_NaN(), 0.2};
  const auto call = [](const std::vector<double>& a, const std::vector<double>& b) {
    return decide(welch_estimate(a, b), Margins{}, ErrorShares{}).call;
  };
  EXPECT_EQ(call({}, fine), Call::inconclusive);
  EXPECT_EQ(call(fine, single), Call::inconclusive);
  EXPECT_EQ(call(constant, constant), Call::inconclusive);
  EXPECT_EQ(call(fine, broken), Call::inconclusive);
  EXPECT_EQ(call(broken, fine), Call::inconclusive);
}

TEST(WelchEstimate, TheSpreadHasTheTimersFloor) {
  const std::vector<double> base{1, 1 + 1e-9, 1};
  const Estimate estimate = welch_estimate(base, base);
  EXPECT_NEAR(estimate.standard_error, 1e-4 * std::sqrt(2.0 / 3.0), 1e-12);
}

}  // namespace
}  // namespace stepgate
