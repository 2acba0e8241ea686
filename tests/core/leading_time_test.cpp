#include "core/leading_time.h"

#include <gtest/gtest.h>

#include "core/metric.h"

namespace stepgate {
namespace {

TEST(LeadingTime, IsTheLatencyWhereACaseInfers) {
  using Timed = std::map<std::string, double>;
  EXPECT_EQ(leading_time_of(Timed{{"step_time_ns", 1}, {"first_step_ns", 1}}), "step_time_ns");
  EXPECT_EQ(leading_time_of(Timed{{"latency_mean_ns", 1}, {"first_step_ns", 1}}), "latency_mean_ns");
  EXPECT_EQ(leading_time_of(Timed{}), "step_time_ns");
  EXPECT_TRUE(is_leading_time("latency_mean_ns"));
  EXPECT_FALSE(is_leading_time("latency_p99_ns"));
}

TEST(LeadingTime, OfARateIsTheMeanLatencyWhereACaseInfers) {
  using Timed = std::map<std::string, double>;
  EXPECT_EQ(shared_time("step_time_mean_ns", Timed{{"step_time_mean_ns", 1}}), "step_time_mean_ns");
  EXPECT_EQ(shared_time("step_time_mean_ns", Timed{{"latency_mean_ns", 1}}), "latency_mean_ns");
  EXPECT_EQ(shared_time("step_time_mean_ns", Timed{}), "step_time_mean_ns");
}

TEST(LeadingTime, TimesOfWholeStepsGate) {
  for (const std::string_view metric : whole_times) {
    ASSERT_NE(find_metric(metric), nullptr) << metric;
    EXPECT_TRUE(find_metric(metric)->gates) << metric;
  }
}

TEST(LeadingTime, ExplainingLatenciesDoNotGate) {
  EXPECT_TRUE(is_explaining_latency("latency_p50_ns"));
  EXPECT_TRUE(is_explaining_latency("open_latency_max_ns"));
  EXPECT_FALSE(is_explaining_latency("latency_p99_ns"));
  EXPECT_FALSE(is_explaining_latency("requests_per_s"));
  EXPECT_FALSE(is_explaining_latency("step_time_ns"));
}

TEST(LeadingTime, LatenciesAreTimesOfRequestsAndTokens) {
  for (const char* metric : {"latency_mean_ns", "open_latency_p99_ns", "latency_max_ns", "first_token_ns"})
    EXPECT_TRUE(is_latency(metric)) << metric;
  for (const char* metric : {"requests_per_s", "step_time_ns", "first_step_ns", "boundary_ns[infer]"})
    EXPECT_FALSE(is_latency(metric)) << metric;
}

}  // namespace
}  // namespace stepgate
