#include "measure/passes/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "measure/passes/arrival_thread.h"

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

/// The time that a thread sees. A test counts its looks, and so knows what it had time for.
struct SetClock {
  static inline std::atomic<std::int64_t> now_ns = 0;
  static inline std::atomic<std::int64_t> step_ns = 0;  ///< by which time goes on with each look
  static inline std::atomic<std::int64_t> looks = 0;

  static std::int64_t look() {
    ++looks;
    return now_ns.fetch_add(step_ns);
  }
  static void start() { now_ns = step_ns = looks = 0; }
  /// Returns when a thread that waits has seen this time and has acted on it.
  static void show(std::int64_t time_ns) {
    now_ns = time_ns;
    for (const std::int64_t enough = looks + 3; looks < enough;) std::this_thread::yield();
  }
};

TEST(Arrivals, AThreadAnnouncesEachAtItsTimeAndNeverBefore) {
  SetClock::start();
  ArrivalThread arrivals(0, SetClock::look);
  const std::int64_t begin_ns = arrivals.begin({1000, 1500, 4000});
  SetClock::show(begin_ns + 999);
  EXPECT_EQ(arrivals.announced(), 0U);
  SetClock::show(begin_ns + 1000);
  arrivals.wait_for(0);
  EXPECT_EQ(arrivals.announced(), 1U);
  SetClock::show(begin_ns + 1499);
  EXPECT_EQ(arrivals.announced(), 1U);
  SetClock::show(begin_ns + 1507);
  arrivals.wait_for(1);
  EXPECT_EQ(arrivals.announced(), 2U);
  SetClock::now_ns = begin_ns + 4002;
  arrivals.wait_for(2);
  EXPECT_EQ(arrivals.late(), (Lateness{.most_ns = 7, .total_ns = 9}));
  EXPECT_EQ(arrivals.cpu(), 0);
}

TEST(Arrivals, AThreadThatComesLateAnnouncesAllThatAreDue) {
  SetClock::start();
  ArrivalThread arrivals(0, SetClock::look);
  const std::int64_t begin_ns = arrivals.begin({1000, 1500, 4000, 9'000'000});
  SetClock::show(begin_ns + 4500);
  arrivals.wait_for(2);
  EXPECT_EQ(arrivals.announced(), 3U);
  EXPECT_EQ(arrivals.late(), (Lateness{.most_ns = 3500, .total_ns = 3500 + 3000 + 500}));
}

/// A pass that fails leaves in the middle of its requests. A thread that went on would see the time of its arrival
/// come, after a thousand million looks.
TEST(Arrivals, AThreadEndsWithItsOwner) {
  constexpr std::int64_t far_ns = 1'000'000'000'000;
  SetClock::start();
  {
    ArrivalThread arrivals(0, SetClock::look);
    arrivals.begin({far_ns});
    SetClock::step_ns = 1000;
    SetClock::show(0);
  }
  EXPECT_LT(SetClock::now_ns.load(), far_ns);
}

}  // namespace
}  // namespace stepgate
