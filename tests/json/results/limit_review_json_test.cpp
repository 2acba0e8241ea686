#include "json/expect_error.h"
#include "json/results/run_report_json.h"
#include "json/sample_documents.h"
#include "support/sample_limits.h"

namespace stepgate {
namespace {

RunReport report_with_limits() {
  RunReport report = sample_run_report();
  report.limits = sample_limit_review();
  return report;
}

TEST(LimitReviewJson, KeepsEveryField) {
  RunReport before = report_with_limits();
  before.limits->allowed_by = "jane";
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  ASSERT_TRUE(after.limits);
  EXPECT_EQ(after.limits->base_commit, before.limits->base_commit);
  EXPECT_EQ(after.limits->changes, before.limits->changes);
  EXPECT_EQ(after.limits->unread, before.limits->unread);
  EXPECT_EQ(after.limits->allowed_by, "jane");
}

TEST(LimitReviewJson, IsAbsentWhereNothingWasCompared) {
  EXPECT_EQ(to_text(sample_run_report()).find("\"limits\""), std::string::npos);
  EXPECT_FALSE(run_report_from_text(to_text(sample_run_report()), "verdict.json").limits);
}

TEST(LimitReviewJson, WhatLacksConsentCannotBeTypedAway) {
  const std::string text =
      replaced(to_text(report_with_limits()), "\"lacks_consent\": true", "\"lacks_consent\": false");
  expect_error([&] { run_report_from_text(text, "verdict.json"); }, ErrorKind::measure,
               {"limits.lacks_consent: expected what the changes and allowed_by add up to"});
  const std::string other = replaced(to_text(report_with_limits()), "\"removed\"", "\"gone\"");
  expect_error([&] { run_report_from_text(other, "verdict.json"); }, ErrorKind::measure,
               {"limits.changes[1].move: expected one of edited-by-hand, removed"});
}

TEST(LimitReviewJson, AnExitStatusThatForgetsTheConsentIsRefused) {
  RunReport report = report_with_limits();
  for (Outcome& outcome : report.outcomes) outcome.verdict.status = Status::pass;
  const std::string text = to_text(report);
  EXPECT_NE(text.find("\"exit_status\": 1"), std::string::npos);
  expect_error(
      [&] { run_report_from_text(replaced(text, "\"exit_status\": 1", "\"exit_status\": 0"), "verdict.json"); },
      ErrorKind::measure, {"exit_status: expected 1, which is what the outcomes add up to"});
}

}  // namespace
}  // namespace stepgate
