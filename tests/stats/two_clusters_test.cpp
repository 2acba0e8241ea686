#include "stats/two_clusters.h"

#include <gtest/gtest.h>

#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(TwoClusters, SeparationByHand) {
  // 0, 1 | 10, 11: within 0.5 + 0.5 = 1, total 30.25 + 20.25 + 20.25 + 30.25 = 101, between 100.
  EXPECT_NEAR(two_clusters(std::vector<double>{10, 0, 11, 1}).separation, 100, 1e-9);
}

TEST(TwoClusters, TheCutIsHalfWayBetweenTheGroups) {
  EXPECT_NEAR(two_clusters(std::vector<double>{10, 0, 11, 1}).cut, 5.5, 1e-9);
}

TEST(TwoClusters, OneOutlierIsNoGroup) {
  // Only cuts with two on each side: the best is {0,1,2,3} | {4,100}, which leaves most of the scatter within.
  EXPECT_LT(two_clusters(std::vector<double>{0, 1, 2, 3, 4, 100}).separation, 1);
}

TEST(TwoClusters, ExactGroupsAreInfinitelyApartAndEqualValuesAreNot) {
  EXPECT_TRUE(std::isinf(two_clusters(std::vector<double>{1, 1, 1, 3, 3, 3}).separation));
  EXPECT_EQ(two_clusters(std::vector<double>{2, 2, 2, 2}).separation, 0);
}

/// Share of normal samples beyond the critical value, of 20 000; its standard error at 1 % is 0.07 %.
double false_alarms(std::size_t count) {
  constexpr int samples = 20000;
  std::mt19937_64 generator(20261121);
  boost::random::normal_distribution<double> normal;
  std::vector<double> values(count);
  int beyond = 0;
  for (int i = 0; i < samples; ++i) {
    for (double& value : values) value = normal(generator);
    beyond += two_clusters(values).separation > cluster_separation_critical(static_cast<std::int64_t>(count));
  }
  return static_cast<double>(beyond) / samples;
}

TEST(TwoClusters, OneNormalSampleInAHundredIsBeyondTheCriticalValue) {
  for (std::size_t count : {6, 8, 12, 16}) EXPECT_NEAR(false_alarms(count), 0.01, 0.0025) << count << " values";
}

TEST(TwoClusters, MoreValuesThanTheTableAreRejectedLessOften) { EXPECT_LT(false_alarms(24), 0.01); }

TEST(TwoClusters, RefusesTooLittle) {
  EXPECT_THROW(two_clusters(std::vector<double>{1, 2, 3}), std::domain_error);
  EXPECT_THROW(two_clusters(std::vector<double>{1, 2, 3, std::numeric_limits<double>::quiet_NaN()}), std::domain_error);
  EXPECT_THROW(cluster_separation_critical(5), std::domain_error);
}

}  // namespace
}  // namespace stepgate
