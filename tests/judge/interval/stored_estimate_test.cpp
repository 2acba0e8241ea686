#include "judge/interval/stored_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(StoredEstimate, ShrinksTheSpreadTowardThePrior) {
  // By hand: s_B^2 = 1e-4 over five sessions, (4 * .02^2 + 4 * 1e-4) / 8 = 2.5e-4, nu = 8, se = s sqrt(1.2).
  const std::vector<double> sessions = {-0.01, 0.01, 0, -0.01, 0.01};
  const StoredEstimate stored = stored_estimate(0.03, sessions, {});
  EXPECT_NEAR(stored.estimate.theta, 0.03, 1e-15);
  EXPECT_NEAR(stored.spread, std::sqrt(2.5e-4), 1e-12);
  EXPECT_NEAR(stored.estimate.standard_error, std::sqrt(2.5e-4 * 1.2), 1e-12);
  EXPECT_EQ(stored.estimate.degrees_of_freedom, 8);
  EXPECT_EQ(stored.sessions, 5);
}

TEST(StoredEstimate, OneSessionRestsOnThePriorAlone) {
  const StoredEstimate stored = stored_estimate(1.5, std::vector{1.0}, {});
  EXPECT_NEAR(stored.estimate.theta, 0.5, 1e-15);
  EXPECT_NEAR(stored.spread, 0.02, 1e-15);
  EXPECT_NEAR(stored.estimate.standard_error, 0.02 * std::sqrt(2.0), 1e-15);
  EXPECT_EQ(stored.estimate.degrees_of_freedom, 4);
}

TEST(StoredEstimate, PriorAndWeightComeFromThePolicy) {
  Policy policy;
  policy.prior_spread = 0.05;
  policy.prior_weight = 2;
  const StoredEstimate stored = stored_estimate(0, std::vector{0.0, 0.0}, policy);
  EXPECT_NEAR(stored.spread, std::sqrt(2 * 0.0025 / 3), 1e-15);
  EXPECT_EQ(stored.estimate.degrees_of_freedom, 3);
}

TEST(StoredEstimate, NeverFallsBelowTheTimersResolution) {
  Policy policy;
  policy.prior_spread = 0;
  EXPECT_EQ(stored_estimate(0, std::vector{0.0, 0.0, 0.0}, policy).spread, 1e-4);
}

TEST(StoredEstimate, FurtherSessionsVaryAsTheStoredOnes) {
  const StoredEstimate two = stored_estimate(0.1, std::vector{-0.01, 0.01}, {});  // s_B^2 = 2e-4
  const Estimate twenty = with_sessions(two, 20, {});
  EXPECT_EQ(twenty.theta, two.estimate.theta);
  EXPECT_NEAR(twenty.standard_error, std::sqrt((4 * 4e-4 + 19 * 2e-4) / 23 * 1.05), 1e-15);
  EXPECT_EQ(twenty.degrees_of_freedom, 23);
}

TEST(StoredEstimate, FurtherSessionsEqualASingleOne) {
  const StoredEstimate one = stored_estimate(0.1, std::vector{0.0}, {});
  EXPECT_NEAR(with_sessions(one, 20, {}).standard_error, std::sqrt(4 * 4e-4 / 23 * 1.05), 1e-15);
}

TEST(StoredEstimate, RefusesNoSession) {
  EXPECT_THROW(stored_estimate(0, std::vector<double>{}, {}), std::domain_error);
}

}  // namespace
}  // namespace stepgate
