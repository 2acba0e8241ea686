#include "judge/rules/times_without_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// Two measurements of three processes each; the first is also the one stored session, as `stepgate compare` makes it.
struct TwoMeasurements {
  ExampleCase head = example_case(1);
  CaseValues base = head.values;

  TwoMeasurements() { head.base_group = &base; }

  MetricVerdict judge(const std::string& metric = "step_time_ns") const { return verdict_on(head.judge(), metric); }
};

TEST(TimesWithoutPairs, ShowBothValuesAndTheirRatioAndDecideNothing) {
  TwoMeasurements both;
  scale(both.head, "step_time_ns", 1.35);
  const MetricVerdict verdict = both.judge();
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "no-pairs");
  EXPECT_EQ(verdict.detail, "20.0 ms -> 27.0 ms, 1.350 times the first; a decision needs pairs");
  EXPECT_NEAR(*verdict.change, 0.35, 1e-12);
  EXPECT_FALSE(verdict.interval);
  EXPECT_FALSE(verdict.more_replicates);
}

TEST(TimesWithoutPairs, EqualTimesDoNotPassEither) {
  EXPECT_EQ(TwoMeasurements().judge().status, Status::inconclusive);
  EXPECT_EQ(TwoMeasurements().head.judge().status, Status::inconclusive);
}

TEST(TimesWithoutPairs, ARateThatFallsIsANegativeChange) {
  TwoMeasurements both;
  both.base.timed["loader_samples_per_s"] = {1000, 1000, 1000};
  both.head.values.timed["loader_samples_per_s"] = {800, 800, 800};
  EXPECT_NEAR(*both.judge("loader_samples_per_s").change, -0.2, 1e-12);
  EXPECT_THAT(both.judge("loader_samples_per_s").detail, HasSubstr("0.800 times the first"));
}

TEST(TimesWithoutPairs, WhatExplainsIsShownAndNotJudged) {
  TwoMeasurements both;
  scale(both.head, "forward_ns", 2);
  EXPECT_EQ(both.judge("forward_ns").status, Status::not_judged);
  EXPECT_THAT(both.judge("forward_ns").detail, HasSubstr("2.000 times the first"));
  both.base.timed["stall_ratio"] = {0, -0.1, 0.1};
  EXPECT_EQ(name_of(both.judge("stall_ratio").reason), "not-tested") << "a ratio may be zero or negative";
}

TEST(TimesWithoutPairs, CountsAndLossesDecideBesideThem) {
  TwoMeasurements both;
  both.head.values.exact["operators_per_step"] = {std::vector<std::int64_t>(8, 2157)};
  EXPECT_EQ(both.head.judge().status, Status::regressed);
  TwoMeasurements diverged;
  diverged.head.values.numerics[0].loss[3] = 1;
  EXPECT_EQ(diverged.head.judge().status, Status::regressed);
}

TEST(TimesWithoutPairs, ADiscardedSideIsInconclusiveAndNamed) {
  TwoMeasurements first;
  first.base.timed.clear();
  first.base.clean_timed = 0;
  first.base.tainted = 5;
  first.head.has_runner = false;  // gives no session
  EXPECT_EQ(name_of(first.judge().reason), "too-few-clean-replicates");
  EXPECT_EQ(first.judge().detail, "the first measurement has no clean timed process; 5 discarded");
  TwoMeasurements second;
  second.head.values.timed.clear();
  second.head.values.clean_timed = 0;
  second.head.values.tainted = 3;
  EXPECT_EQ(second.judge().detail, "the second measurement has no clean timed process; 3 discarded");
}

TEST(TimesWithoutPairs, OtherFactsAreIncompatibleAndAGoneMetricFails) {
  TwoMeasurements other;
  other.head.runner_mismatches = {{"torch", "2.11.0", "1.0.0"}};
  EXPECT_EQ(name_of(other.judge().reason), "incompatible-baseline");
  TwoMeasurements gone;
  gone.head.values.timed.erase("first_step_ns");
  EXPECT_EQ(name_of(gone.judge("first_step_ns").reason), "metric-missing");
}

/// Peak memory one MiB above the first measurement's, with this number of processes per side.
MetricVerdict grown_bytes(std::size_t of_base, std::size_t of_head) {
  TwoMeasurements both;
  both.base.bytes["peak_allocated_bytes"] = std::vector<std::int64_t>(of_base, 4096);
  both.head.values.bytes["peak_allocated_bytes"] = std::vector<std::int64_t>(of_head, 4096 + (1 << 20));
  return both.judge("peak_allocated_bytes");
}

TEST(TwoMeasurementsOfBytes, AreOpenOnFewProcesses) {
  EXPECT_EQ(grown_bytes(2, 2).status, Status::inconclusive);
  EXPECT_EQ(grown_bytes(2, 6).status, Status::inconclusive);
  EXPECT_EQ(name_of(grown_bytes(6, 2).reason), "too-few-processes");
  EXPECT_THAT(grown_bytes(6, 2).detail, HasSubstr("6 and 2 processes may agree by chance, 6 of each would decide"));
  EXPECT_EQ(grown_bytes(6, 6).status, Status::regressed);
}

}  // namespace
}  // namespace stepgate
