#include <gtest/gtest.h>

#include "cli/show.h"

namespace stepgate {
namespace {

RunReport report_of(Status status, const std::string& reason) {
  Outcome outcome;
  outcome.verdict.status = status;
  MetricVerdict& metric = outcome.verdict.metrics.emplace_back();
  metric.metric = "step_time_ns";
  metric.status = status;
  metric.reason = VerdictReason::named(reason);
  RunReport report;
  report.outcomes = {outcome};
  return report;
}

Judging under_ctest() { return {.ctest = true}; }

TEST(StatusForCaller, AnotherMachineIsSkippedByCTest) {
  EXPECT_EQ(status_for_caller(under_ctest(), report_of(Status::no_baseline, "no-baseline")), 77);
  EXPECT_EQ(status_for_caller(under_ctest(), report_of(Status::no_baseline, "incompatible-baseline")), 77);
  EXPECT_EQ(status_for_caller({}, report_of(Status::no_baseline, "incompatible-baseline")), 5);
}

TEST(StatusForCaller, WhatWasNotJudgedIsNeverPassed) {
  for (const Status status : {Status::failed, Status::inconclusive, Status::no_baseline, Status::skipped}) {
    for (const bool required : {false, true}) {
      Judging judging = under_ctest();
      judging.require_baseline = required;
      RunReport report = report_of(status, "interval-too-wide");
      EXPECT_NE(status_for_caller(judging, report), 0) << name_of(status);
      report.outcomes.insert(report.outcomes.begin(), report_of(Status::pass, "").outcomes.front());
      EXPECT_NE(status_for_caller(judging, report), 0) << name_of(status) << " beside a half that passed";
    }
  }
}

TEST(StatusForCaller, AnotherTreeIsNever) {
  for (const char* reason : {"incompatible-tree", "incompatible-builds"}) {
    RunReport report = report_of(Status::no_baseline, reason);
    EXPECT_EQ(status_for_caller(under_ctest(), report), 5);
    report.outcomes.push_back(report_of(Status::inconclusive, "interval-too-wide").outcomes.front());
    EXPECT_EQ(status_for_caller(under_ctest(), report), 4) << "another case decides the status";
    report.outcomes.front().verdict.metrics.front().gating = false;
    EXPECT_EQ(status_for_caller(under_ctest(), report), 77) << "what is only shown fails nothing";
  }
}

TEST(StatusForCaller, RequiredBaselinesAreFailures) {
  Judging judging = under_ctest();
  judging.require_baseline = true;
  EXPECT_EQ(status_for_caller(judging, report_of(Status::no_baseline, "no-baseline")), 5);
  EXPECT_EQ(status_for_caller(judging, report_of(Status::pass, "")), 0);
}

}  // namespace
}  // namespace stepgate
