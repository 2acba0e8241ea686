#include "stats/holm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Holm, AdjustsStepDownAndKeepsTheOrderGiven) {
  // By hand: sorted .005*4, .01*3, .03*2, then .04*1 raised to the .06 before it.
  EXPECT_THAT(holm_adjusted(std::vector{0.01, 0.04, 0.03, 0.005}),
              ElementsAre(DoubleEq(0.03), DoubleEq(0.06), DoubleEq(0.06), DoubleEq(0.02)));
}

TEST(Holm, StopsAtOne) { EXPECT_THAT(holm_adjusted(std::vector{0.6, 0.7, 1.0}), ElementsAre(1, 1, 1)); }

TEST(Holm, LeavesASingleTestAlone) { EXPECT_THAT(holm_adjusted(std::vector{0.04}), ElementsAre(0.04)); }

TEST(Holm, AcceptsNoValues) { EXPECT_THAT(holm_adjusted(std::vector<double>{}), IsEmpty()); }

TEST(Holm, RefusesValuesThatAreNotProbabilities) {
  EXPECT_THROW(holm_adjusted(std::vector{1.1}), std::domain_error);
  EXPECT_THROW(holm_adjusted(std::vector{-0.1}), std::domain_error);
  EXPECT_THROW(holm_adjusted(std::vector{std::numeric_limits<double>::quiet_NaN()}), std::domain_error);
}

}  // namespace
}  // namespace stepgate
