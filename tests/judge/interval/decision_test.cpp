#include "judge/interval/decision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace stepgate {
namespace {

constexpr Margins margins = {.ignore = 0.01, .matter = 0.05};
constexpr CriticalValues critical = {.red = 3, .pass = 2};
constexpr double se = 0.004;
constexpr double hair = 1e-9;
const double ignore = std::log1p(0.01);
const double matter = std::log1p(0.05);

Call call_at(double theta) { return decide({theta, se, 7}, margins, critical).call; }

TEST(Decision, IsRedOnlyWhereTheLowerBoundExceedsTheIgnoreMargin) {
  EXPECT_EQ(call_at(ignore + 3 * se + hair), Call::regressed);
  EXPECT_NE(call_at(ignore + 3 * se - hair), Call::regressed);
}

TEST(Decision, IsImprovedOnlyWhereTheUpperBoundIsBelowMinusTheIgnoreMargin) {
  EXPECT_EQ(call_at(-ignore - 3 * se - hair), Call::improved);
  EXPECT_EQ(call_at(-ignore - 3 * se + hair), Call::pass);
}

TEST(Decision, PassesOnlyWhereTheUpperBoundIsBelowTheMatterMargin) {
  const double wide = 0.02;  // wide enough to prevent a red
  EXPECT_EQ(decide({matter - 2 * wide - hair, wide, 7}, margins, critical).call, Call::pass);
  EXPECT_EQ(decide({matter - 2 * wide + hair, wide, 7}, margins, critical).call, Call::inconclusive);
}

TEST(Decision, CallsWideIntervalsInconclusive) {
  EXPECT_EQ(decide({0, 0.1, 7}, margins, critical).call, Call::inconclusive);
}

TEST(Decision, PrefersRedToPassWhereBothWouldHold) {
  // A tight interval between the margins is above ignore and below matter: real, hence red.
  EXPECT_EQ(decide({0.03, 1e-4, 7}, margins, critical).call, Call::regressed);
}

TEST(Decision, StatesItsBoundsAsRelativeChanges) {
  const Decision decision = decide({0.03, se, 7}, margins, critical);
  EXPECT_NEAR(decision.interval.lower, std::exp(0.03 - 3 * se) - 1, 1e-15);
  EXPECT_NEAR(decision.interval.upper, std::exp(0.03 + 2 * se) - 1, 1e-15);
}

TEST(Decision, ZeroOrUnknownSpreadCertifiesNothing) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Estimate& estimate : {Estimate{0, 0, 7}, Estimate{0.5, 0, 7}, Estimate{nan, se, 7}, Estimate{0, nan, 7},
                                   Estimate{infinity, se, 7}, Estimate{0, se, 0}}) {
    EXPECT_EQ(decide(estimate, margins, critical).call, Call::inconclusive);
    EXPECT_EQ(decide(estimate, margins, ErrorShares{}).call, Call::inconclusive);
  }
}

TEST(Decision, SharesAreOneSided) {
  // t(.95, 7) = 1.8946 from any table; a two-sided bound would take 2.3646.
  const Decision decision = decide({0, 1, 7}, margins, ErrorShares{.red = 0.05, .pass = 0.05});
  EXPECT_NEAR(std::log1p(decision.interval.lower), -1.89458, 1e-4);
  EXPECT_NEAR(std::log1p(decision.interval.upper), 1.89458, 1e-4);
}

TEST(Decision, EachBoundUsesItsOwnShare) {
  // t(.99, 7) = 2.99795, t(.9, 7) = 1.41492
  const Decision decision = decide({0, 1, 7}, margins, ErrorShares{.red = 0.01, .pass = 0.1});
  EXPECT_NEAR(std::log1p(decision.interval.lower), -2.99795, 1e-4);
  EXPECT_NEAR(std::log1p(decision.interval.upper), 1.41492, 1e-4);
}

TEST(Decision, DetectableChangeIsTheIgnoreMarginAndLambdaStandardErrors) {
  // lambda for a = .05/60, nu = 8: 7.042078 (SciPy 1.17.1, see student_t_test.cpp)
  CriticalValueTable table({.red = 0.05 / 60, .pass = 0.05});
  EXPECT_NEAR(detectable_change({0, 0.01, 8}, margins, table), std::exp(ignore + 0.07042078) - 1, 1e-6);
}

TEST(Decision, TableGivesTheSameAsDecidingOnce) {
  CriticalValueTable table({.red = 0.001, .pass = 0.05});
  const Estimate estimate{0.02, 0.01, 6.5};
  const Decision once = decide(estimate, margins, ErrorShares{.red = 0.001, .pass = 0.05});
  for (int i = 0; i < 2; ++i) {
    const Decision again = decide(estimate, margins, table.at(6.5));
    EXPECT_EQ(again.interval.lower, once.interval.lower);
    EXPECT_EQ(again.interval.upper, once.interval.upper);
  }
}

TEST(Decision, RefusesSharesThatPromiseNothing) {
  EXPECT_THROW(CriticalValueTable({.red = 0, .pass = 0.05}), Error);
  EXPECT_THROW(CriticalValueTable({.red = 0.05, .pass = 0.6}), Error);
}

}  // namespace
}  // namespace stepgate
