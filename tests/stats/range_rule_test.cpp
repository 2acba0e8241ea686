#include "stats/range_rule.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate {
namespace {

TEST(RangeRule, IsOneOverTheBinomialCoefficient) {
  // docs/design/statistics.md, "Range rule": 4v4 1.4 %, 5v5 0.4 %, 6v6 0.11 %
  EXPECT_DOUBLE_EQ(range_rule_false_alarm(4, 4), 1.0 / 70);
  EXPECT_DOUBLE_EQ(range_rule_false_alarm(5, 5), 1.0 / 252);
  EXPECT_DOUBLE_EQ(range_rule_false_alarm(6, 6), 1.0 / 924);
  EXPECT_DOUBLE_EQ(range_rule_false_alarm(2, 5), 1.0 / 21);
}

TEST(RangeRule, IsSymmetricInBothSides) {
  EXPECT_DOUBLE_EQ(range_rule_false_alarm(3, 9), range_rule_false_alarm(9, 3));
}

TEST(RangeRule, HoldsWhereTheCoefficientOverflows) {
  const double probability = range_rule_false_alarm(500, 500);  // C(1000, 500) = 2.7028824e299
  EXPECT_NEAR(probability * 2.7028824094543655e299, 1, 1e-10);
}

TEST(RangeRule, RefusesAnEmptySide) {
  EXPECT_THROW(range_rule_false_alarm(0, 3), std::domain_error);
  EXPECT_THROW(range_rule_false_alarm(3, 0), std::domain_error);
}

}  // namespace
}  // namespace stepgate
