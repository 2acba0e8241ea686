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

}  // namespace
}  // namespace stepgate
