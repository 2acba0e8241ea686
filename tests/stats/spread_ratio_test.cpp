#include "stats/spread_ratio.h"

#include <gtest/gtest.h>

#include <boost/random/normal_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

const std::vector<double> quiet = {0.012, -0.003, 0.008, 0.015, 0.001, 0.021, 0.007, 0.018};
const std::vector<double> noisy = {0.052, -0.043, 0.018, 0.075, -0.031, 0.061, 0.007, 0.088};

std::vector<double> first_of(const std::vector<double>& values, std::size_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)};
}

// NumPy: theta = ln(std(w, ddof=1) / std(o, ddof=1)); d_i the same after np.delete(w, i), np.delete(o, i);
// se = sqrt((n-1)/n * sum((d - mean(d))^2)); exp(theta -+ scipy.stats.t.ppf(0.975, n-1) * se).
TEST(SpreadRatio, AgreesWithNumPyAndSciPy) {
  const auto found = spread_ratio({quiet, noisy}, 0.95);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->ratio, 0.16981994164919256, 1e-12);
  EXPECT_NEAR(found->lower, 0.11798275410679288, 1e-12);
  EXPECT_NEAR(found->upper, 0.2444324409958384, 1e-12);
  EXPECT_NEAR(found->log_standard_error, 0.15402034660468886, 1e-12);
  const auto at90 = spread_ratio({quiet, noisy}, 0.90);
  ASSERT_TRUE(at90);
  EXPECT_NEAR(at90->lower, 0.1268410915734204, 1e-12);
  EXPECT_NEAR(at90->upper, 0.22736175023408844, 1e-12);
}

TEST(SpreadRatio, FourPairsAreTheFewest) {
  const auto found = spread_ratio({first_of(quiet, 4), first_of(noisy, 4)}, 0.95);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->ratio, 0.15343182161159655, 1e-12);
  EXPECT_NEAR(found->lower, 0.08478081408135836, 1e-12);
  EXPECT_NEAR(found->upper, 0.27767277464995543, 1e-12);
  EXPECT_FALSE(spread_ratio({first_of(quiet, 3), first_of(noisy, 3)}, 0.95));
  EXPECT_FALSE(spread_ratio({}, 0.95));
}

TEST(SpreadRatio, SwappedSidesGiveTheInverseRatio) {
  const auto one = spread_ratio({quiet, noisy}, 0.95);
  const auto other = spread_ratio({noisy, quiet}, 0.95);
  ASSERT_TRUE(one && other);
  EXPECT_NEAR(one->ratio * other->ratio, 1, 1e-12);
  EXPECT_NEAR(one->lower * other->upper, 1, 1e-12);
}

TEST(SpreadRatio, IsAbsentWhereASideDoesNotVary) {
  const std::vector<double> still(8, 0.25);
  EXPECT_FALSE(spread_ratio({still, noisy}, 0.95));
  EXPECT_FALSE(spread_ratio({quiet, still}, 0.95));
  std::vector<double> once = still;
  once[5] = 0.5;
  EXPECT_FALSE(spread_ratio({once, noisy}, 0.95)) << "all of its spread is one pair";
}

TEST(SpreadRatio, RefusesSidesThatAreNotPairs) {
  std::vector<double> broken = quiet;
  broken[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(spread_ratio({broken, noisy}, 0.95), std::domain_error);
  EXPECT_THROW(spread_ratio({quiet, broken}, 0.95), std::domain_error);
  EXPECT_THROW(spread_ratio({quiet, first_of(noisy, 7)}, 0.95), std::domain_error);
  EXPECT_THROW(spread_ratio({quiet, noisy}, 1), std::domain_error);
  EXPECT_THROW(mean_shift({broken, noisy}, 0.95), std::domain_error);
  EXPECT_THROW(mean_shift({quiet, first_of(noisy, 7)}, 0.95), std::domain_error);
  EXPECT_THROW(mean_shift({quiet, noisy}, 0), std::domain_error);
}

TEST(MeanShift, AgreesWithSciPy) {
  // scipy.stats.ttest_rel(w, o).confidence_interval(0.95)
  const auto found = mean_shift({quiet, noisy}, 0.95);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->mean, -0.0185, 1e-12);
  EXPECT_NEAR(found->lower, -0.052658678982216184, 1e-12);
  EXPECT_NEAR(found->upper, 0.015658678982216193, 1e-12);
  EXPECT_FALSE(mean_shift({first_of(quiet, 3), first_of(noisy, 3)}, 0.95));
}

/// Share of 95 % intervals that contain the true ratio 1, for twelve pairs whose sides share `common` times a draw.
template <typename Distribution>
double coverage(Distribution noise, double common) {
  constexpr int trials = 2000;
  std::mt19937_64 generator(20261121);
  int held = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> with;
    std::vector<double> without;
    for (int pair = 0; pair < 12; ++pair) {
      const double drift = common * noise(generator);
      with.push_back(drift + noise(generator));
      without.push_back(drift + noise(generator));
    }
    const auto found = spread_ratio({with, without}, 0.95);
    if (found && found->lower <= 1 && found->upper >= 1) ++held;
  }
  return static_cast<double>(held) / trials;
}

TEST(SpreadRatio, HasTheStatedCoverage) {
  const double normal = coverage(boost::random::normal_distribution<double>(), 0);
  EXPECT_GE(normal, 0.93);
  EXPECT_LE(normal, 0.97) << "wider than necessary";
  EXPECT_GE(coverage(boost::random::normal_distribution<double>(), 1), 0.93) << "sides that drift together";
  EXPECT_GE(coverage(boost::random::student_t_distribution<double>(3), 0), 0.90) << "heavy tails";
}

}  // namespace
}  // namespace stepgate
