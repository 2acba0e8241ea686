#include "diagnose/inference/stalled_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

SlowRequests stalls(std::int64_t slow, std::int64_t every) {
  return {.requests = 1000, .slow = slow, .typical_ns = 1e6, .extra_ns = 5e6, .every = every, .boundary = "infer"};
}

/// Mean and P99 are longer, the median is not.
SampleCase stalled_sample(Status p99) {
  SampleCase sample;
  sample.timed("latency_mean_ns", Status::regressed, 1.0e6, 1.1e6);
  sample.timed("latency_p99_ns", p99, 1.2e6, p99 == Status::regressed ? 6.1e6 : 1.2e6);
  sample.timed("latency_p50_ns", Status::not_judged, 1.0e6, 1.001e6);
  sample.timed("latency_max_ns", Status::regressed, 1.5e6, 6.5e6);
  sample.current.slow_requests = {stalls(20, 50), stalls(20, 50), stalls(20, 50)};
  return sample;
}

JudgedComparison against_base_requests(const SampleCase& sample, std::vector<SlowRequests> base) {
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.slow_requests = std::move(base)};
  return input;
}

TEST(Stalls, TellHowManyHowOftenAndWhere) {
  const auto input = against_base_requests(stalled_sample(Status::regressed), {stalls(0, 0)});
  const auto findings = explain_stalls(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, FindingCode::requests_stall);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message,
            "infer: 60 of 3 000 requests, every 50th, take 5.00 ms longer than the median of 1.00 ms; before none did");
  EXPECT_EQ(findings[0].metric, "latency_mean_ns");
  EXPECT_EQ(findings[0].boundary, "infer");
  EXPECT_THAT(findings[0].also, testing::ElementsAre("latency_p99_ns", "latency_max_ns"));
}

TEST(Stalls, TheMediansOfBoundariesAreNotBlamedForThem) {
  SampleCase sample = stalled_sample(Status::pass);
  sample.timed("forward_ns", Status::not_judged, 0.5e6, 0.5e6);
  EXPECT_TRUE(explain_boundary_time(against_base_requests(sample, {})).empty());
  EXPECT_EQ(explain_stalls(against_base_requests(sample, {})).size(), 1U);
}

TEST(Stalls, AsManyAsBeforeExplainNothing) {
  const SampleCase sample = stalled_sample(Status::pass);
  EXPECT_TRUE(explain_stalls(against_base_requests(sample, {stalls(20, 50)})).empty());
}

TEST(Stalls, RequestsThatAreAllSlowerAreNoStall) {
  SampleCase sample;
  sample.timed("latency_mean_ns", Status::regressed, 1.0e6, 1.1e6);
  sample.timed("latency_p99_ns", Status::regressed, 3.0e6, 3.3e6);
  sample.timed("latency_p50_ns", Status::not_judged, 0.9e6, 0.99e6);
  sample.current.slow_requests = {stalls(20, 0)};
  EXPECT_TRUE(explain_stalls(against_base_requests(sample, {stalls(20, 0)})).empty());
  EXPECT_EQ(stalled_latency(against_base_requests(sample, {})), "");
}

TEST(Stalls, ALongerTailWithoutFarOnesIsToldByItsPercentiles) {
  SampleCase sample;
  sample.timed("latency_p99_ns", Status::regressed, 1.2e6, 1.4e6);
  sample.timed("latency_p50_ns", Status::not_judged, 1.0e6, 1.0e6);
  sample.current.slow_requests = {stalls(0, 0)};
  sample.current.slow_requests.front().boundary = "";
  const auto findings = explain_stalls(against_base_requests(sample, {stalls(0, 0)}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].metric, "latency_p99_ns");
  EXPECT_EQ(findings[0].message,
            "the slowest requests take longer: P99 1.20 ms -> 1.40 ms, where the median is 1.00 ms -> 1.00 ms");
}

TEST(Stalls, ProcessesThatDisagreeHaveNoCommonDistance) {
  EXPECT_EQ(slow_requests_of({stalls(1, 50), stalls(3, 60), stalls(2, 0)})->every, 0);
  EXPECT_EQ(slow_requests_of({stalls(1, 50), stalls(3, 50), stalls(2, 0)})->every, 50);
  EXPECT_FALSE(slow_requests_of({}));
}

TEST(UnstableQueue, IsNamedWithItsLoad) {
  SampleCase sample;
  MetricVerdict& verdict = sample.red("open_latency_mean_ns");
  verdict.reason = ReasonCode::queue_unstable;
  verdict.detail = "unstable: 200 of 1 000 requests still waited when the last one arrived";
  const auto findings = explain_unstable_queue(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("200 of 1 000 requests"));
  EXPECT_TRUE(explain_unstable_queue(SampleCase().input()).empty());
}

TEST(SlowerRequests, AreExplainedByTheirBoundary) {
  SampleCase sample;
  sample.current.boundaries = StepBoundaries({"data_wait", "h2d", "infer", "post", "logging"});
  sample.timed("latency_mean_ns", Status::regressed, 1.0e6, 1.1e6);
  sample.timed("latency_p50_ns", Status::not_judged, 1.0e6, 1.1e6);
  sample.timed("boundary_ns[infer]", Status::not_judged, 0.8e6, 0.9e6);
  const auto findings = explain_boundary_time(against_base_requests(sample, {}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, FindingCode::boundary_slower);
  EXPECT_EQ(findings[0].boundary, "infer");
  EXPECT_THAT(findings[0].message, HasSubstr("of the request's"));
}

}  // namespace
}  // namespace stepgate
