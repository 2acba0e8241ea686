#include "stats/variance_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

/// Sample variances of `count` quantities whose true variances are scaled inverse chi-square.
std::vector<double> drawn_variances(double prior_variance, double prior_degrees, double degrees) {
  std::mt19937_64 random(7);
  std::chi_squared_distribution<double> prior(prior_degrees);
  std::chi_squared_distribution<double> sample(degrees);
  std::vector<double> variances;
  for (int i = 0; i < 20'000; ++i) {
    variances.push_back(prior_variance * prior_degrees / prior(random) * sample(random) / degrees);
  }
  return variances;
}

TEST(VariancePrior, FindsThePriorThatVariancesWereDrawnFrom) {
  const VariancePrior prior = variance_prior(drawn_variances(4, 6, 5), 5, 1000);
  EXPECT_NEAR(prior.degrees_of_freedom, 6, 0.5);
  EXPECT_NEAR(prior.variance, 4, 0.2);
}

TEST(VariancePrior, IsAsHeavyAsAllowedWhereAllVariancesAreOne) {
  std::mt19937_64 random(8);
  std::chi_squared_distribution<double> sample(5);
  std::vector<double> variances;
  for (int i = 0; i < 20'000; ++i) variances.push_back(9 * sample(random) / 5);
  const VariancePrior prior = variance_prior(variances, 5, 10);
  EXPECT_DOUBLE_EQ(prior.degrees_of_freedom, 10);
  EXPECT_DOUBLE_EQ(moderated_variance(3 * prior.variance, 5, prior), prior.variance * (10 + 15) / 15);
}

TEST(VariancePrior, IsNoneWithoutVariances) {
  const VariancePrior none = variance_prior(std::vector<double>{0, 0, 1, 2}, 5, 10);
  EXPECT_DOUBLE_EQ(none.degrees_of_freedom, 0);
  EXPECT_DOUBLE_EQ(moderated_variance(3, 5, none), 3);
}

TEST(VariancePrior, RefusesWhatIsNoVariance) {
  EXPECT_THROW(variance_prior(std::vector{1.0, -1.0}, 5, 10), std::domain_error);
  EXPECT_THROW(variance_prior(std::vector{std::numeric_limits<double>::infinity()}, 5, 10), std::domain_error);
  EXPECT_THROW(variance_prior(std::vector{1.0}, 0, 10), std::domain_error);
}

}  // namespace
}  // namespace stepgate
