#include "core/judged/judged_tiers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stepgate {
namespace {

MetricVerdict metric_of(const std::string& name, Status status, ReasonCode reason = ReasonCode::within_limit) {
  MetricVerdict metric;
  metric.metric = name;
  metric.status = status;
  metric.reason = reason;
  return metric;
}

/// The case takes the worst status of its gating metrics, as judge_case() gives it.
Outcome outcome_of(const std::string& name, TierChoice half, std::vector<MetricVerdict> metrics) {
  Outcome outcome;
  outcome.kind = {.half = half};
  outcome.verdict.case_name = name;
  outcome.verdict.status = Status::pass;
  for (const MetricVerdict& metric : metrics)
    if (metric.gating) outcome.verdict.status = std::max(outcome.verdict.status, metric.status);
  outcome.verdict.metrics = std::move(metrics);
  return outcome;
}

Status status_of_half(const RunReport& report, TierChoice half) {
  for (const JudgedTier& tier : judged_tiers(report))
    if (tier.half == half) return tier.status;
  ADD_FAILURE() << "no such half";
  return Status::not_judged;
}

std::string counts_of(const RunReport& report) {
  std::string text;
  for (const TierChoice half : both_halves) {
    const TierCount count = count_tiers(judged_tiers(report), half);
    text +=
        std::string(name_of(half)) + " " + std::to_string(count.judged) + "/" + std::to_string(count.expected) + " ";
  }
  return text;
}

TEST(JudgedTiers, AHalfThatPassesSaysNothingOfTheOther) {
  RunReport report;
  report.expected_cases = {"a/b/c", "a/b/d"};
  report.outcomes = {outcome_of("a/b/c", TierChoice::exact, {metric_of("operators_per_step", Status::pass)})};
  EXPECT_EQ(counts_of(report), "exact 1/2 timed 0/2 ");
  report.outcomes.push_back(outcome_of("a/b/c", TierChoice::timed, {metric_of("step_time_ns", Status::no_baseline)}));
  EXPECT_EQ(counts_of(report), "exact 1/2 timed 0/2 ");
  EXPECT_EQ(judged_tiers(report)[1].status, Status::no_baseline);
  EXPECT_EQ(judged_tiers(report)[2].outcome, nullptr) << "not measured";
}

TEST(JudgedTiers, ACaseOfOneHalfIsExpectedInThatHalfOnly) {
  RunReport report;
  report.expected_cases = {"a/b/c", "a/b/d", "a/b/e"};
  report.one_half = {{"a/b/c", TierChoice::exact}, {"a/b/d", TierChoice::timed}};
  EXPECT_EQ(counts_of(report), "exact 0/2 timed 0/2 ");
  Outcome pairs = outcome_of("a/b/c", TierChoice::all, {metric_of("step_time_ns", Status::pass)});
  pairs.kind = result_of_pairs;
  report.outcomes = {pairs};
  EXPECT_EQ(counts_of(report), "exact 0/2 timed 0/2 ") << "a gate judges no times of it";
  report.expected_cases.clear();
  EXPECT_EQ(counts_of(report), "exact 0/0 timed 1/1 ") << "a comparison holds what it holds";
}

TEST(JudgedTiers, OneResultOfBothHalvesIsSplitByItsMetrics) {
  RunReport report;
  report.outcomes = {outcome_of("a/b/c", TierChoice::all,
                                {metric_of("step_time_ns", Status::inconclusive, ReasonCode::interval_too_wide),
                                 metric_of("operators_per_step", Status::regressed)})};
  EXPECT_EQ(status_of_half(report, TierChoice::exact), Status::regressed);
  EXPECT_EQ(status_of_half(report, TierChoice::timed), Status::inconclusive) << "a red of the other half hides nothing";
}

TEST(JudgedTiers, SomeMetricsWithoutABaselineLeaveTheHalfOpen) {
  RunReport report;
  report.outcomes = {
      outcome_of("a/b/c", TierChoice::timed,
                 {metric_of("step_time_ns", Status::pass), metric_of("first_step_ns", Status::no_baseline)})};
  EXPECT_EQ(status_of_half(report, TierChoice::timed), Status::no_baseline);
}

TEST(JudgedTiers, WhatLeavesACaseJudgedLeavesItsHalfJudged) {
  for (const ReasonCode reason : {ReasonCode::new_metric, ReasonCode::too_noisy, ReasonCode::varying}) {
    RunReport report;
    report.outcomes = {
        outcome_of("a/b/c", TierChoice::timed,
                   {metric_of("step_time_ns", Status::pass), metric_of("first_step_ns", Status::not_judged, reason)})};
    EXPECT_EQ(status_of_half(report, TierChoice::timed), Status::pass) << name_of(reason);
  }
  MetricVerdict waived = metric_of("step_time_ns", Status::not_judged, ReasonCode::waived);
  waived.gating = false;
  RunReport report;
  report.outcomes = {outcome_of("a/b/c", TierChoice::timed, {waived})};
  EXPECT_EQ(status_of_half(report, TierChoice::timed), Status::pass) << "judged, and excused";
}

TEST(JudgedTiers, AHalfOfNothingButUnjudgedMetricsIsOpen) {
  RunReport report;
  report.outcomes = {outcome_of("a/b/c", TierChoice::all,
                                {metric_of("operators_per_step", Status::pass),
                                 metric_of("step_time_ns", Status::not_judged, ReasonCode::new_metric)})};
  EXPECT_EQ(status_of_half(report, TierChoice::exact), Status::pass);
  EXPECT_EQ(status_of_half(report, TierChoice::timed), Status::inconclusive);
}

TEST(JudgedTiers, AMissingDeviceAndAFailedProcessHoldForBothHalves) {
  for (const Status status : {Status::skipped, Status::failed}) {
    Outcome outcome = outcome_of("a/b/c", TierChoice::all, {metric_of("operators_per_step", Status::pass)});
    outcome.verdict.status = status;
    RunReport report;
    report.outcomes = {outcome};
    EXPECT_EQ(status_of_half(report, TierChoice::exact), status);
    EXPECT_EQ(status_of_half(report, TierChoice::timed), status);
  }
}

TEST(JudgedTiers, OfSeveralResultsTheOneThatJudgedTheHalfStands) {
  Outcome pairs = outcome_of("a/b/c", TierChoice::all, {metric_of("step_time_ns", Status::regressed)});
  pairs.kind = result_of_pairs;
  RunReport report;
  report.expected_cases = {"a/b/c"};
  report.outcomes = {outcome_of("a/b/c", TierChoice::timed, {metric_of("step_time_ns", Status::no_baseline)}), pairs};
  EXPECT_EQ(status_of_half(report, TierChoice::timed), Status::regressed);
}

}  // namespace
}  // namespace stepgate
