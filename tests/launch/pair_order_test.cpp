#include "launch/pair_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace stepgate {
namespace {

TEST(PairOrder, IsTheSameForTheSameSeedAndStream) {
  EXPECT_EQ(head_first_orders(7, "a/b/c", 64), head_first_orders(7, "a/b/c", 64));
  EXPECT_NE(head_first_orders(7, "a/b/c", 64), head_first_orders(8, "a/b/c", 64));
  EXPECT_NE(head_first_orders(7, "a/b/c", 64), head_first_orders(7, "a/b/d", 64));
  EXPECT_NE(head_first_orders(7, "a/b/c", 64), head_first_orders(7 + (std::uint64_t{1} << 32), "a/b/c", 64));
}

TEST(PairOrder, ALongerPlanBeginsWithTheShorterOne) {
  const auto longer = head_first_orders(3, "case", 24);
  const auto shorter = head_first_orders(3, "case", 16);
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST(PairOrder, IsFairAndIndependent) {
  const auto orders = head_first_orders(1, "case", 20000);
  const auto heads = std::count(orders.begin(), orders.end(), true);
  std::int64_t repeats = 0;
  for (std::size_t i = 1; i < orders.size(); ++i) repeats += orders[i] == orders[i - 1] ? 1 : 0;
  // Five standard deviations of a fair coin, sqrt(20000)/2 = 71.
  EXPECT_NEAR(static_cast<double>(heads), 10000, 355);
  EXPECT_NEAR(static_cast<double>(repeats), 10000, 355);
}

TEST(PairOrder, EveryCaseIsOnceTheControl) {
  EXPECT_EQ(control_case(0, 3), 0U);
  EXPECT_EQ(control_case(1, 3), 1U);
  EXPECT_EQ(control_case(5, 3), 2U);
  EXPECT_THROW(control_case(1, 0), std::domain_error);
}

}  // namespace
}  // namespace stepgate
