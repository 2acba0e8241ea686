// A case that infers, from its pairs to the verdict: the mean leads, P99 follows, the others explain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/units.h"
#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// Answers in 1 ms, the slowest of a hundred in 2 ms.
PairedCase inference_case(std::size_t pairs = 8) {
  PairedCase paired = paired_case(0, pairs);
  paired.pairs.timed.clear();
  paired.example.values.timed.clear();
  for (const auto& [metric, ns] : {std::pair("latency_mean_ns", 1e6), std::pair("latency_p99_ns", 2e6),
                                   std::pair("latency_p50_ns", 0.9e6), std::pair("latency_max_ns", 5e6),
                                   std::pair("open_latency_mean_ns", 1.3e6), std::pair("boundary_ns[infer]", 0.8e6)}) {
    paired.pairs.timed[metric] = pairs_of(ns, 0, pairs);
    paired.example.values.timed[metric] = {ns};
  }
  return paired;
}

void slow_latency(const char* metric, double change, PairedCase& paired) {
  const std::vector<Pair> unchanged = paired.pairs.timed.at(metric);
  paired.pairs.timed[metric] = pairs_of(unchanged.front().base, change, unchanged.size());
}

MetricVerdict latency_verdict(const PairedCase& paired, const std::string& metric) {
  return verdict_on(paired.judge(), metric);
}

TEST(InferenceCase, UnchangedLatenciesPass) {
  const PairedCase paired = inference_case();
  EXPECT_EQ(paired.judge().status, Status::pass);
  EXPECT_TRUE(latency_verdict(paired, "latency_mean_ns").gating);
  EXPECT_TRUE(latency_verdict(paired, "latency_p99_ns").gating);
  EXPECT_FALSE(latency_verdict(paired, "latency_p50_ns").gating);
  EXPECT_EQ(latency_verdict(paired, "latency_p50_ns").reason, ReasonCode::not_tested);
}

TEST(InferenceCase, ASlowerMeanIsRedAndTellsWhichPercentilesAre) {
  PairedCase paired = inference_case();
  slow_latency("latency_mean_ns", 0.06, paired);
  slow_latency("latency_max_ns", 0.5, paired);
  EXPECT_EQ(paired.judge().status, Status::regressed);
  const MetricVerdict longest = latency_verdict(paired, "latency_max_ns");
  EXPECT_EQ(longest.status, Status::regressed);
  EXPECT_EQ(longest.reason, ReasonCode::percentile_slower);
  EXPECT_FALSE(longest.gating);
  EXPECT_EQ(latency_verdict(paired, "latency_p50_ns").reason, ReasonCode::within_limit);
  EXPECT_EQ(latency_verdict(paired, "latency_p99_ns").status, Status::pass);
}

TEST(InferenceCase, AnExplainingLatencyIsNotTestedBesideAGreen) {
  PairedCase paired = inference_case();
  slow_latency("latency_max_ns", 0.5, paired);
  EXPECT_EQ(paired.judge().status, Status::pass);
  EXPECT_EQ(latency_verdict(paired, "latency_max_ns").reason, ReasonCode::not_tested);
}

TEST(InferenceCase, ASlowerP99IsRedByItself) {
  PairedCase paired = inference_case();
  slow_latency("latency_p99_ns", 0.4, paired);
  EXPECT_EQ(paired.judge().status, Status::regressed);
  EXPECT_EQ(latency_verdict(paired, "latency_p99_ns").reason, ReasonCode::regressed);
  EXPECT_EQ(latency_verdict(paired, "latency_mean_ns").status, Status::pass);
}

TEST(InferenceCase, ANoisyP99KeepsNoRunOpenThatTheMeanHasDecided) {
  PairedCase paired = inference_case(4);
  std::vector<Pair>& pairs = paired.pairs.timed["latency_p99_ns"];
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].head *= i % 2 == 0 ? 1.3 : 0.7;
  const MetricVerdict verdict = latency_verdict(paired, "latency_p99_ns");
  EXPECT_EQ(paired.judge().status, Status::pass);
  EXPECT_EQ(verdict.reason, ReasonCode::left_undecided);
  EXPECT_THAT(verdict.detail, HasSubstr("since the mean latency is decided"));
}

constexpr const char* answer_rate = "samples_per_s";

/// Eight samples a request, which the policy lets gate.
void gate_answers(PairedCase& paired) {
  std::vector<Pair>& rates = paired.pairs.timed[answer_rate];
  for (const Pair& latency : paired.pairs.timed.at("latency_mean_ns"))
    rates.push_back({8 * ns_per_s / latency.base, 8 * ns_per_s / latency.head, latency.head_first});
  paired.example.values.timed[answer_rate] = {8000};
  paired.example.policy.gating_rates = {{answer_rate, {"example/*"}}};
}

TEST(InferenceCase, ARateSharesTheTestOfTheMeanLatency) {
  for (const double change : {0.0, 0.06, -0.2}) {
    PairedCase paired = inference_case();
    slow_latency("latency_mean_ns", change, paired);
    gate_answers(paired);
    const MetricVerdict rate = latency_verdict(paired, answer_rate);
    const MetricVerdict mean = latency_verdict(paired, "latency_mean_ns");
    EXPECT_TRUE(rate.gating);
    EXPECT_EQ(rate.status, mean.status) << change;
    EXPECT_EQ(name_of(rate.reason), name_of(mean.reason)) << change;
  }
}

TEST(InferenceCase, ARateFailsWhereTheWorkOfARequestDiffersFromPairToPair) {
  PairedCase paired = inference_case();
  gate_answers(paired);
  paired.pairs.timed.at(answer_rate)[3].head *= 1.001;
  EXPECT_EQ(name_of(latency_verdict(paired, answer_rate).reason), "work-varies");
}

/// The times of a case that trains as those of one that answers: the mean latency in place of the step times.
void answer_requests(std::map<std::string, std::vector<double>>& timed) {
  const std::vector<double> latencies = timed.at("step_time_mean_ns");
  timed.erase("step_time_ns");
  timed.erase("step_time_mean_ns");
  timed["latency_mean_ns"] = latencies;
  std::vector<double>& rates = timed[answer_rate];
  rates.clear();
  for (const double ns : latencies) rates.push_back(8 * ns_per_s / ns);
}

TEST(InferenceCase, ARateOfStoredSessionsSharesTheTestOfTheMeanLatency) {
  for (const double factor : {1.0, 1.5, 0.7}) {
    ExampleCase example = example_case();
    slow_down(example, factor);
    answer_requests(example.values.timed);
    for (Session& session : example.runner.sessions) answer_requests(session.timed);
    for (const double ns : example.values.timed.at("latency_mean_ns"))
      example.values.timed["steps_per_s"].push_back(ns_per_s / ns);
    example.policy.gating_rates = {{answer_rate, {"example/*"}}, {"steps_per_s", {"example/*"}}};
    const CaseVerdict verdict = example.judge();
    const MetricVerdict mean = verdict_on(verdict, "latency_mean_ns");
    for (const char* metric : {answer_rate, "steps_per_s"}) {
      EXPECT_EQ(verdict_on(verdict, metric).status, mean.status) << metric << " " << factor;
      EXPECT_EQ(name_of(verdict_on(verdict, metric).reason), name_of(mean.reason)) << metric << " " << factor;
    }
  }
}

/// Every pair, or only some of the eight, in which the queue of the head grew.
PairedCase overloaded_case(std::int64_t overloaded, std::size_t kept_up) {
  PairedCase paired = inference_case();
  paired.example.values.timed.erase("open_latency_mean_ns");
  paired.pairs.overloaded["open_latency_mean_ns"] = {
      .head = overloaded, .head_grew = overloaded, .why = "unstable: 200 of 1 000 requests still waited"};
  if (kept_up == 0) {
    paired.pairs.timed.erase("open_latency_mean_ns");
    paired.pairs.lost["open_latency_mean_ns"] = "unstable: 200 of 1 000 requests still waited";
  } else {
    paired.pairs.timed["open_latency_mean_ns"].resize(kept_up);
  }
  return paired;
}

TEST(InferenceCase, AQueueThatGrowsInEveryPairIsRedWhereChanceIsExcluded) {
  // alpha / M = .05 / 3 lies between 2^-5 and 2^-6.
  const MetricVerdict red = latency_verdict(overloaded_case(6, 0), "open_latency_mean_ns");
  EXPECT_EQ(red.status, Status::regressed);
  EXPECT_EQ(red.reason, ReasonCode::queue_unstable);
  EXPECT_THAT(red.detail, HasSubstr("so in 6 of 6 pairs, and the base kept up in each"));
  const MetricVerdict open = latency_verdict(overloaded_case(5, 0), "open_latency_mean_ns");
  EXPECT_EQ(open.status, Status::inconclusive);
  EXPECT_EQ(open.more_replicates, 1);
}

TEST(InferenceCase, ABaseThatDoesNotKeepUpEitherWithholdsTheRed) {
  PairedCase paired = overloaded_case(6, 0);
  paired.pairs.overloaded["open_latency_mean_ns"].base = 8;
  const MetricVerdict verdict = latency_verdict(paired, "open_latency_mean_ns");
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_FALSE(verdict.more_replicates);
  EXPECT_THAT(verdict.detail, HasSubstr("so in 6 of 14 pairs, and in 8 the base alone did not keep up"));
}

TEST(InferenceCase, ALoadAboveItsLimitWithoutAQueueIsNoRed) {
  PairedCase paired = overloaded_case(9, 0);
  paired.pairs.overloaded["open_latency_mean_ns"].head_grew = 0;
  EXPECT_EQ(latency_verdict(paired, "open_latency_mean_ns").status, Status::inconclusive);
}

TEST(InferenceCase, AQueueThatGrowsInUnsteadyProcessesIsNoRed) {
  PairedCase paired = overloaded_case(9, 0);
  paired.example.values.unsteady_reasons = {"replicate 0: drifted"};
  paired.example.values.unsteady = paired.example.values.clean_timed;
  EXPECT_EQ(latency_verdict(paired, "open_latency_mean_ns").status, Status::inconclusive);
}

TEST(InferenceCase, AQueueThatGrowsInSomePairsWithholdsTheVerdict) {
  const PairedCase paired = overloaded_case(2, 6);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
  EXPECT_EQ(latency_verdict(paired, "open_latency_mean_ns").reason, ReasonCode::queue_unstable);
}

TEST(InferenceCase, AgainstStoredSessionsAQueueThatGrowsIsUndecided) {
  ExampleCase example = example_case();
  for (Session& session : example.runner.sessions) session.timed["open_latency_p99_ns"] = {2e6, 2e6, 2e6};
  EXPECT_EQ(verdict_on(example.judge(), "open_latency_p99_ns").reason, ReasonCode::metric_missing);
  example.values.queue_problem = "unstable: 200 of 1 000 requests still waited";
  const MetricVerdict verdict = verdict_on(example.judge(), "open_latency_p99_ns");
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(verdict.reason, ReasonCode::queue_unstable);
}

}  // namespace
}  // namespace stepgate
