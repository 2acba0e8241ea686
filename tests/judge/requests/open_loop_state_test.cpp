#include "judge/requests/open_loop_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "judge/requests/latency_values.h"

namespace stepgate {
namespace {

/// Requests that come every millisecond and are answered one after another in `answer_ns`.
OpenLoop queue_of(std::int64_t requests, std::int64_t answer_ns) {
  OpenLoop loop{.clock = "steady_clock", .rate_per_s = 1000, .capacity_per_s = 1e9 / static_cast<double>(answer_ns)};
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < requests; ++i) {
    const std::int64_t arrival = 1'000'000 * i;
    end = std::max(end, arrival) + answer_ns;
    loop.arrival_ns.push_back(arrival);
    loop.latency_ns.push_back(end - arrival);
  }
  return loop;
}

TEST(OpenLoopState, AQueueThatKeepsUpIsUsable) {
  const OpenLoop loop = queue_of(1000, 600'000);
  const OpenLoopState state = open_loop_state(loop);
  EXPECT_NEAR(state.load, 0.6, 1e-9);
  EXPECT_EQ(state.waiting, 0);
  EXPECT_TRUE(state.is_usable());
  EXPECT_EQ(problem_of(state, loop), "");
  EXPECT_DOUBLE_EQ(open_loop_values(loop).values.at("open_latency_mean_ns"), 600'000);
}

TEST(OpenLoopState, AQueueThatGrowsIsUnstable) {
  const OpenLoop loop = queue_of(1000, 1'250'000);
  const OpenLoopState state = open_loop_state(loop);
  EXPECT_NEAR(static_cast<double>(state.waiting), 200, 2);
  EXPECT_FALSE(state.stable);
  EXPECT_THAT(problem_of(state, loop), testing::StartsWith("unstable: "));
  EXPECT_THAT(problem_of(state, loop), testing::HasSubstr("1 000 requests/s are 125.0 % of the capacity of 800"));
  const LatencyValues found = open_loop_values(loop);
  EXPECT_TRUE(found.values.empty());
  EXPECT_EQ(found.absent.at("open_latency_p99_ns"), problem_of(state, loop));
}

TEST(OpenLoopState, AboveSeventyPercentOfTheCapacityNothingIsCompared) {
  const OpenLoop loop = queue_of(1000, 800'000);
  const OpenLoopState state = open_loop_state(loop);
  EXPECT_TRUE(state.stable);
  EXPECT_FALSE(state.is_usable());
  EXPECT_THAT(problem_of(state, loop), testing::HasSubstr("above 70.0 %: give the case a lower request_rate_per_s"));
  EXPECT_TRUE(open_loop_state(queue_of(1000, 690'000)).is_usable());
}

TEST(OpenLoopState, AStallThatTheQueueWorksOffIsNoGrowth) {
  OpenLoop loop = queue_of(1000, 600'000);
  loop.latency_ns[100] += 3'000'000;
  EXPECT_TRUE(open_loop_state(loop).stable);
}

TEST(OpenLoopState, AnEmptyLoopHasNoQueue) { EXPECT_EQ(open_loop_state(OpenLoop{}).waiting, 0); }

}  // namespace
}  // namespace stepgate
