#include "judge/requests/find_slow_requests.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

/// 1 000 requests of about a millisecond, most of it in boundary infer.
ClosedLoop even_requests() {
  ClosedLoop loop;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const std::int64_t wobble = 1000 * ((i * 37) % 21 - 10);
    loop.latency_ns.push_back(1'000'000 + wobble);
    loop.boundary_ns["infer"].push_back(900'000 + wobble);
    loop.boundary_ns["post"].push_back(100'000);
  }
  return loop;
}

void stall_at(std::size_t request, const char* boundary, ClosedLoop& loop) {
  loop.latency_ns[request] += 4'000'000;
  loop.boundary_ns[boundary][request] += 4'000'000;
}

TEST(SlowRequests, EvenRequestsHaveNone) {
  const auto found = find_slow_requests(even_requests());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->slow, 0);
  EXPECT_EQ(found->share_of_mean_ns(), 0);
  EXPECT_NEAR(found->typical_ns, 1e6, 2000);
}

TEST(SlowRequests, EachFiftiethIsFoundWithItsDistanceAndItsBoundary) {
  ClosedLoop loop = even_requests();
  for (std::size_t i = 49; i < 1000; i += 50) stall_at(i, "post", loop);
  const auto found = find_slow_requests(loop);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->slow, 20);
  EXPECT_EQ(found->every, 50);
  EXPECT_EQ(found->boundary, "post");
  EXPECT_NEAR(found->extra_ns, 4e6, 2e4);
  EXPECT_NEAR(found->share_of_mean_ns(), 8e4, 400);
}

TEST(SlowRequests, AStallThatDelaysTheNextRequestTooKeepsItsDistance) {
  ClosedLoop loop = even_requests();
  for (std::size_t i = 0; i + 1 < 1000; i += 100) {
    stall_at(i, "infer", loop);
    stall_at(i + 1, "infer", loop);
  }
  const auto found = find_slow_requests(loop);
  EXPECT_EQ(found->slow, 20);
  EXPECT_EQ(found->every, 100);
}

TEST(SlowRequests, IrregularOnesHaveNoDistance) {
  ClosedLoop loop = even_requests();
  for (const std::size_t i : {3U, 40U, 111U, 390U, 405U, 800U, 813U}) stall_at(i, "infer", loop);
  const auto found = find_slow_requests(loop);
  EXPECT_EQ(found->slow, 7);
  EXPECT_EQ(found->every, 0);
  EXPECT_EQ(found->boundary, "infer");
}

TEST(SlowRequests, TimeThatNoBoundaryHasHasNone) {
  ClosedLoop loop = even_requests();
  loop.latency_ns[500] += 4'000'000;
  EXPECT_EQ(find_slow_requests(loop)->boundary, "");
}

TEST(SlowRequests, AFewTicksOfTheClockAreNothing) {
  ClosedLoop loop;
  loop.latency_ns.assign(100, 1'000'000);
  loop.latency_ns[7] = 1'000'200;
  EXPECT_EQ(find_slow_requests(loop)->slow, 0);
  loop.latency_ns.resize(19);
  EXPECT_FALSE(find_slow_requests(loop));
}

}  // namespace
}  // namespace stepgate
