#include "measure/passes/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "measure/passes/arrival_thread.h"
#include "stepgate/host_clock.h"

namespace stepgate {
namespace {

TEST(Arrivals, FollowFromTheSeedAlone) {
  EXPECT_EQ(scheduled_arrivals(100, 1000, 7), scheduled_arrivals(100, 1000, 7));
  EXPECT_NE(scheduled_arrivals(100, 1000, 7), scheduled_arrivals(100, 1000, 8));
}

TEST(Arrivals, AreInOrderAndOfTheRateThatWasAskedFor) {
  const auto arrivals = scheduled_arrivals(250, 100'000, 7);
  EXPECT_TRUE(std::is_sorted(arrivals.begin(), arrivals.end()));
  EXPECT_GT(arrivals.front(), 0);
  const double rate = 100'000 / (static_cast<double>(arrivals.back()) / 1e9);
  EXPECT_NEAR(rate, 250, 3) << "the standard error of the mean gap is 0.3 %";
}

TEST(Arrivals, HaveExponentialGaps) {
  const auto arrivals = scheduled_arrivals(1000, 100'000, 3);
  int below_mean = 0;
  for (std::size_t i = 1; i < arrivals.size(); ++i) below_mean += arrivals[i] - arrivals[i - 1] < 1'000'000 ? 1 : 0;
  EXPECT_NEAR(below_mean / 1e5, 1 - std::exp(-1), 0.01);
}

TEST(Arrivals, AThreadAnnouncesEachAtItsTimeAndNeverBefore) {
  ArrivalThread arrivals(0);
  const std::vector<std::int64_t> due = {1'000'000, 1'500'000, 4'000'000};
  const std::int64_t begin_ns = arrivals.begin(due);
  for (std::size_t i = 0; i < due.size(); ++i) {
    arrivals.wait_for(i);
    EXPECT_GE(steady_clock_ns(), begin_ns + due[i]) << i;
  }
  EXPECT_GE(arrivals.late_ns(), 0);
  EXPECT_EQ(arrivals.cpu(), 0);
}

/// A pass that fails leaves in the middle of its requests.
TEST(Arrivals, AThreadEndsWithItsOwner) {
  ArrivalThread arrivals(0);
  arrivals.begin({1'000'000'000'000});
}

}  // namespace
}  // namespace stepgate
