#include "lab/suite_outcome.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace stepgate::lab {
namespace {

TEST(SuiteOutcome, LimitsAreThoseOfClopperAndPearson) {
  // scipy.stats.binomtest(5, 100).proportion_ci(method="exact"): 0.0164318800, 0.1128349111
  const Share share = share_of(5, 100);
  EXPECT_DOUBLE_EQ(share.value, 0.05);
  EXPECT_NEAR(share.lower, 0.0164318800, 1e-8);
  EXPECT_NEAR(share.upper, 0.1128349111, 1e-8);
}

TEST(SuiteOutcome, NoHitStillHasAnUpperLimit) {
  EXPECT_EQ(share_of(0, 10000).lower, 0);
  EXPECT_NEAR(share_of(0, 10000).upper, 1 - std::pow(0.025, 1e-4), 1e-9);
  EXPECT_EQ(share_of(7, 7).upper, 1);
}

TEST(SuiteOutcome, BisectsToTheSmallestChangeThatIsRed) {
  const auto red_from = [](double least) {
    return [least](double change) {
      return SuiteOutcome{.suites = 1, .metrics = 100, .regressed = change >= least ? 95 : 94};
    };
  };
  EXPECT_NEAR(smallest_detected_change(red_from(0.043), 1e-4), 0.043, 1e-4);
  EXPECT_GE(smallest_detected_change(red_from(0.043), 1e-4), 0.043);
  EXPECT_EQ(smallest_detected_change(red_from(1.5), 1e-4), std::numeric_limits<double>::infinity());
}

TEST(SuiteOutcome, RefusesInvalidCounts) {
  EXPECT_THROW(share_of(1, 0), std::domain_error);
  EXPECT_THROW(share_of(3, 2), std::domain_error);
}

}  // namespace
}  // namespace stepgate::lab
