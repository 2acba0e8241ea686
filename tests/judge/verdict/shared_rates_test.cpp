#include "judge/verdict/shared_rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/units.h"
#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* samples = "samples_per_s";
constexpr const char* mean_time = "step_time_mean_ns";

/// Samples a second of steps of that many samples, one value for each process of the pairs.
std::vector<Pair> rates_of(const std::vector<Pair>& times, double of_base, double of_head) {
  std::vector<Pair> rates;
  for (const Pair& time : times)
    rates.push_back({of_base * ns_per_s / time.base, of_head * ns_per_s / time.head, time.head_first});
  return rates;
}

/// Eight pairs whose head is slower by `change` and trains on `of_head` samples a step; the base on 32.
PairedCase gating_samples(double change, double of_head = 32) {
  PairedCase paired = paired_case(change);
  paired.pairs.timed[mean_time] = pairs_of(21e6, change, 8);
  paired.pairs.timed[samples] = rates_of(paired.pairs.timed[mean_time], 32, of_head);
  paired.example.policy.gating_rates = {{samples, {"example/*"}}};
  return paired;
}

TEST(SharedRates, HaveTheVerdictOfTheirTimeByPairs) {
  for (const double change : {0.0, 0.02, 0.2, -0.2}) {
    const CaseVerdict verdict = gating_samples(change).judge();
    const MetricVerdict rate = verdict_on(verdict, samples);
    const MetricVerdict time = verdict_on(verdict, mean_time);
    EXPECT_TRUE(rate.gating);
    EXPECT_EQ(rate.status, time.status) << change;
    EXPECT_EQ(name_of(rate.reason), name_of(time.reason)) << change;
    EXPECT_NEAR(*rate.change, 1 / (1 + *time.change) - 1, 1e-9) << change;
  }
}

TEST(SharedRates, AddNoHypothesis) {
  PairedCase paired = gating_samples(0.02);
  const CaseVerdict with = paired.judge();
  paired.example.policy.gating_rates.clear();
  const CaseVerdict without = paired.judge();
  for (const char* metric : {"step_time_ns", mean_time, "first_step_ns"}) {
    const MetricVerdict beside = verdict_on(with, metric);
    const MetricVerdict alone = verdict_on(without, metric);
    ASSERT_TRUE(beside.interval && alone.interval) << metric;
    EXPECT_EQ(beside.interval->lower, alone.interval->lower) << metric << ": its share of alpha became smaller";
    EXPECT_EQ(beside.interval->upper, alone.interval->upper) << metric;
    EXPECT_EQ(beside.detectable_change, alone.detectable_change) << metric;
  }
  const MetricVerdict rate = verdict_on(with, samples);
  const MetricVerdict time = verdict_on(with, mean_time);
  ASSERT_TRUE(rate.interval && time.interval);
  EXPECT_NEAR(rate.interval->lower, 1 / (1 + time.interval->upper) - 1, 1e-9) << "it has no share of its own";
  EXPECT_NEAR(rate.interval->upper, 1 / (1 + time.interval->lower) - 1, 1e-9);
}

TEST(SharedRates, ARedIsToldInTheUnitOfItsUser) {
  const CaseVerdict verdict = gating_samples(0.2).judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(verdict.metrics.front().metric, samples);
  EXPECT_THAT(verdict.detail, HasSubstr("samples: 1 5"));
  EXPECT_THAT(verdict.detail, HasSubstr("samples/s -> 1 2"));
}

TEST(SharedRates, ExplainWhereThePolicyDoesNotNameThem) {
  PairedCase paired = gating_samples(0.2);
  paired.example.policy.gating_rates = {{samples, {"other/*"}}};
  EXPECT_FALSE(verdict_on(paired.judge(), samples).gating);
  EXPECT_EQ(verdict_on(paired.judge(), samples).status, Status::not_judged);
}

TEST(SharedRates, AreRedWhereAFasterStepDoesLess) {
  const CaseVerdict verdict = gating_samples(-0.2, 16).judge();
  EXPECT_EQ(verdict_on(verdict, mean_time).status, Status::improved);
  EXPECT_EQ(verdict_on(verdict, samples).status, Status::regressed);
  EXPECT_EQ(verdict.status, Status::regressed);
}

TEST(SharedRates, FailWhereTheWorkOfAStepDiffersFromPairToPair) {
  PairedCase paired = gating_samples(0);
  paired.pairs.timed[samples][3].head *= 1.001;
  const MetricVerdict rate = verdict_on(paired.judge(), samples);
  EXPECT_EQ(rate.status, Status::failed);
  EXPECT_EQ(name_of(rate.reason), "work-varies");
  EXPECT_THAT(rate.detail, HasSubstr("differs from pair to pair"));
}

TEST(SharedRates, ThatWereNotMeasuredFailWithTheirReason) {
  PairedCase paired = gating_samples(0);
  paired.pairs.timed.erase(samples);
  paired.example.values.timed.erase(samples);
  paired.example.values.absent[samples] = "the workload counts no samples";
  const MetricVerdict rate = verdict_on(paired.judge(), samples);
  EXPECT_EQ(rate.status, Status::failed);
  EXPECT_EQ(name_of(rate.reason), "rate-unmeasured");
  EXPECT_THAT(rate.detail, HasSubstr("the workload counts no samples"));
}

ExampleCase stored_gating(const std::string& rate) {
  ExampleCase example = example_case();
  example.policy.gating_rates = {{rate, {"*"}}};
  return example;
}

TEST(SharedRates, HaveTheVerdictOfTheirTimeByStoredSessions) {
  for (const double factor : {1.0, 1.02, 1.5, 0.7}) {
    ExampleCase example = stored_gating(samples);
    slow_down(example, factor);
    scale(example, samples, 1 / factor);
    const CaseVerdict verdict = example.judge();
    EXPECT_TRUE(verdict_on(verdict, samples).gating);
    EXPECT_EQ(verdict_on(verdict, samples).status, verdict_on(verdict, mean_time).status) << factor;
  }
}

TEST(SharedRates, StepsASecondFollowFromTheTimesOfOlderSessions) {
  ExampleCase example = stored_gating("steps_per_s");
  for (const double time : example.values.timed.at(mean_time))
    example.values.timed["steps_per_s"].push_back(ns_per_s / time);
  EXPECT_EQ(verdict_on(example.judge(), "steps_per_s").status, Status::pass);
  example.policy.gating_rates.clear();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "steps_per_s").reason), "new-metric");
}

TEST(SharedRates, OfSessionsWithAndWithoutTheRateAreNew) {
  ExampleCase example = stored_gating(samples);
  example.runner.sessions[1].timed.erase(samples);
  const MetricVerdict rate = verdict_on(example.judge(), samples);
  EXPECT_EQ(rate.status, Status::not_judged);
  EXPECT_EQ(name_of(rate.reason), "new-metric");
}

TEST(SharedRates, OfSessionsThatCountAsOneWithAndWithoutTheRateAreNew) {
  ExampleCase example = stored_gating(samples);
  example.runner.sessions[1].unix_s = example.runner.sessions[0].unix_s + 60;
  example.runner.sessions[1].timed.erase(samples);
  const MetricVerdict rate = verdict_on(example.judge(), samples);
  EXPECT_EQ(rate.status, Status::not_judged);
  EXPECT_EQ(name_of(rate.reason), "new-metric");
  EXPECT_THAT(rate.detail, HasSubstr("older than this rate"));
}

/// FLOPs of a step over its time, and over so many TFLOP/s.
void add_utilisation_by(double peak_tflop_per_s, std::map<std::string, std::vector<double>>& timed) {
  for (const double ns : timed.at(mean_time)) {
    timed["tflop_per_s"].push_back(2e9 / ns);
    timed["mfu_ratio"].push_back(2e9 / ns / peak_tflop_per_s);
  }
}

/// The policy states twice the peak that it stated when the sessions were stored.
ExampleCase with_another_peak() {
  ExampleCase example = example_case();
  add_utilisation_by(400, example.values.timed);
  for (Session& session : example.runner.sessions) add_utilisation_by(200, session.timed);
  return example;
}

TEST(SharedRates, MfuOfStoredSessionsHasThePeakOfToday) {
  ExampleCase example = with_another_peak();
  EXPECT_NEAR(*verdict_on(example.judge(), "mfu_ratio").change, 0, 1e-3) << "shown only";
  example.policy.gating_rates = {{"mfu_ratio", {"*"}}};
  const MetricVerdict mfu = verdict_on(example.judge(), "mfu_ratio");
  EXPECT_EQ(mfu.status, Status::pass);
  EXPECT_NEAR(*mfu.change, 0, 1e-3);
}

TEST(SharedRates, ATargetOfMfuIsHeldAgainstOnePeak) {
  ExampleCase example = with_another_peak();
  slow_down(example, 0.7);
  for (const char* metric : {"tflop_per_s", "mfu_ratio"}) scale(example, metric, 1 / 0.7);
  example.policy.targets = {{.cases = "*", .metric = "mfu_ratio", .value = 0.3}};
  ASSERT_EQ(verdict_on(example.judge(), mean_time).status, Status::improved);
  EXPECT_TRUE(example.judge().limits.front().newly_met) << "0.24 before and 0.34 now, by one peak";
}

TEST(SharedRates, MfuOfASessionWithoutFlopsIsOfAnUnknownPeak) {
  ExampleCase example = with_another_peak();
  example.policy.gating_rates = {{"mfu_ratio", {"*"}}};
  example.runner.sessions[1].timed.erase("tflop_per_s");
  EXPECT_EQ(name_of(verdict_on(example.judge(), "mfu_ratio").reason), "new-metric");
}

TEST(SharedRates, FailWhereTheWorkOfAStepDiffersFromSessionToSession) {
  ExampleCase example = stored_gating(samples);
  for (double& value : example.runner.sessions[1].timed.at(samples)) value *= 1.01;
  EXPECT_EQ(name_of(verdict_on(example.judge(), samples).reason), "work-varies");
}

TEST(SharedRates, OfTwoMeasurementsAreShownOnly) {
  const ExampleCase base = example_case();
  ExampleCase example = stored_gating(samples);
  example.base_group = &base.values;
  const MetricVerdict rate = verdict_on(example.judge(), samples);
  EXPECT_TRUE(rate.gating);
  EXPECT_EQ(name_of(rate.reason), "no-pairs");
}

}  // namespace
}  // namespace stepgate
