#include "judge/requests/latency_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/metric.h"
#include "judge/reduce/reduce_case.h"
#include "judge/reduce/reduce_timed.h"

namespace stepgate {
namespace {

/// 1, 2, ... microseconds.
ClosedLoop rising_requests(std::int64_t requests) {
  ClosedLoop loop;
  for (std::int64_t i = 1; i <= requests; ++i) loop.latency_ns.push_back(1000 * i);
  loop.wall_ns = std::accumulate(loop.latency_ns.begin(), loop.latency_ns.end(), std::int64_t{0});
  return loop;
}

RunRecord inference_record(std::int64_t requests) {
  RunRecord record;
  StepSample step;
  step.wall_ns = 900;
  step.samples = step.padded_tokens = step.effective_tokens = 8;
  record.timed["e2e"] = {.clock = "steady_clock", .windows = {}, .steps = {step, step, step}};
  record.inference = InferenceFacts{};
  record.requests = rising_requests(requests);
  return record;
}

TEST(LatencyValues, EachIsOneValueOfTheProcess) {
  const LatencyValues found = closed_loop_values(rising_requests(1000));
  EXPECT_DOUBLE_EQ(found.values.at("latency_mean_ns"), 500'500);
  EXPECT_DOUBLE_EQ(found.values.at("latency_p50_ns"), 500'500);
  EXPECT_DOUBLE_EQ(found.values.at("latency_p90_ns"), 900'100);
  EXPECT_DOUBLE_EQ(found.values.at("latency_p99_ns"), 990'010);
  EXPECT_DOUBLE_EQ(found.values.at("latency_max_ns"), 1'000'000);
  EXPECT_NEAR(found.values.at("requests_per_s"), 1e9 / 500'500, 1e-9);
}

TEST(LatencyValues, APercentileNeedsTenRequestsBeyondIt) {
  const LatencyValues few = closed_loop_values(rising_requests(999));
  EXPECT_TRUE(few.values.contains("latency_p95_ns"));
  EXPECT_FALSE(few.values.contains("latency_p99_ns"));
  EXPECT_EQ(few.absent.at("latency_p99_ns"), "needs 1 000 requests a process, has 999 requests");
  const LatencyValues enough = closed_loop_values(rising_requests(1000));
  EXPECT_TRUE(enough.values.contains("latency_p99_ns"));
  EXPECT_EQ(enough.absent.at("latency_p99_9_ns"), "needs 10 000 requests a process, has 1 000 requests");
  EXPECT_TRUE(closed_loop_values(rising_requests(10'000)).values.contains("latency_p99_9_ns"));
  const LatencyValues none = closed_loop_values(ClosedLoop{});
  EXPECT_EQ(none.absent.at("latency_mean_ns"), "the pass answered no request");
  EXPECT_TRUE(none.values.empty());
}

TEST(LatencyValues, TimesOfTokensAreMeansOverRequests) {
  ClosedLoop loop = rising_requests(4);
  EXPECT_EQ(closed_loop_values(loop).absent.at("first_token_ns"), "the case marks no tokens");
  loop.tokens = {.first_ns = {10, 20, 30, 40}, .next_ns = {3, 5}, .tokens = 9};
  EXPECT_DOUBLE_EQ(closed_loop_values(loop).values.at("first_token_ns"), 25);
  EXPECT_DOUBLE_EQ(closed_loop_values(loop).values.at("next_token_ns"), 4);
}

TEST(LatencyValues, EveryMetricIsInTheCatalogue) {
  ClosedLoop loop = rising_requests(10'000);
  loop.tokens = {.first_ns = {1}, .next_ns = {1}, .tokens = 2};
  OpenLoop open{.clock = "steady_clock", .rate_per_s = 1, .capacity_per_s = 10};
  for (std::int64_t i = 0; i < 10'000; ++i) {
    open.arrival_ns.push_back(1'000'000 * i);
    open.latency_ns.push_back(1000);
  }
  for (const LatencyValues& found : {closed_loop_values(loop), open_loop_values(open)}) {
    EXPECT_TRUE(found.absent.empty());
    for (const auto& [metric, value] : found.values) EXPECT_NE(find_metric(metric), nullptr) << metric;
  }
}

TEST(LatencyValues, StandInPlaceOfWhatStepsAndLoaderSayOfTheSameRequests) {
  const TimedValues found = timed_values(inference_record(1000));
  for (const char* metric : {"step_time_ns", "step_time_mean_ns", "effective_tokens_per_s", "loader_samples_per_s"}) {
    EXPECT_FALSE(found.values.contains(metric)) << metric;
    EXPECT_TRUE(found.absent.contains(metric)) << metric;
  }
  EXPECT_TRUE(found.values.contains("latency_mean_ns"));
  EXPECT_TRUE(found.values.contains("samples_per_s"));
  RunRecord without_pass = inference_record(0);
  without_pass.requests.reset();
  EXPECT_TRUE(timed_values(without_pass).values.contains("step_time_ns"));
}

TEST(LatencyValues, RatesAreTheWorkOfARequestOverTheMeanLatency) {
  RunRecord record = inference_record(1000);
  const double requests_per_s = 1e9 / 500'500;
  EXPECT_NEAR(timed_values(record).values.at("steps_per_s"), requests_per_s, 1e-9);
  EXPECT_NEAR(timed_values(record).values.at("samples_per_s"), 8 * requests_per_s, 1e-9) << "of a step of the e2e pass";
  EXPECT_NEAR(timed_values(record).values.at("padded_tokens_per_s"), 8 * requests_per_s, 1e-9);
  record.requests->samples = 3000;
  record.requests->wall_ns *= 2;
  EXPECT_NEAR(timed_values(record).values.at("samples_per_s"), 3 * requests_per_s, 1e-9);
  EXPECT_NEAR(timed_values(record).values.at("requests_per_s"), requests_per_s / 2, 1e-9) << "by the wall time";
}

TEST(LatencyValues, AReasonOfTheRecordStays) {
  RunRecord record = inference_record(100);
  record.absent["open_latency_mean_ns"] = "no CPU is left for the generator";
  EXPECT_EQ(timed_values(record).absent.at("open_latency_mean_ns"), "no CPU is left for the generator");
}

TEST(LatencyValues, SlowRequestsOfEachCleanProcessAreKept) {
  Measurement measurement;
  RunRecord record = inference_record(1000);
  record.requests->latency_ns.assign(1000, 1000);
  for (std::size_t i = 49; i < 1000; i += 50) record.requests->latency_ns[i] = 9000;
  Replicate replicate;
  replicate.group = Group::timed;
  replicate.record = record;
  measurement.replicates = {replicate, replicate};
  const CaseValues values = case_values(measurement);
  ASSERT_EQ(values.slow_requests.size(), 2U);
  EXPECT_EQ(values.slow_requests.front().every, 50);
  EXPECT_TRUE(values.inference.has_value());
  EXPECT_EQ(values.timed.at("latency_mean_ns").size(), 2U);
}

}  // namespace
}  // namespace stepgate
