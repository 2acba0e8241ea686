#include "baseline/limits/baseline_limits.h"

#include <gtest/gtest.h>

#include "baseline/limits/told_changes.h"
#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

std::string accepted_then(Baseline& baseline) {
  baseline.provenance.utc = "2026-11-20T09:00:00Z";
  baseline.provenance.commit = "3333333";
  baseline.provenance.reason = "new attention";
  return "accepted 2026-11-20 at 3333333: new attention";
}

LimitLines told_of(const Baseline* base, const Baseline* head, std::set<std::string> varying = {}) {
  const Policy policy;
  return told(baseline_changes({.suite = "suite",
                                .file = "portable/x.json",
                                .base = base,
                                .head = head,
                                .policy = policy,
                                .varying = std::move(varying)}));
}

TEST(BaselineLimits, SaysNothingOfEqualValues) {
  const Baseline base = portable_sample();
  Baseline head = portable_sample();
  EXPECT_EQ(told_of(&base, &head), LimitLines{});
  accepted_then(head);
  EXPECT_EQ(told_of(&base, &head), LimitLines{});
}

TEST(BaselineLimits, OtherValuesWithTheSameAcceptanceAreEditedByHand) {
  const Baseline base = portable_sample();
  Baseline head = portable_sample();
  head.exact["operators_per_step"] = {500, 500};
  head.bytes["peak_allocated_bytes"] = {1310724};
  const LimitLines expected = {
      "edited by hand baseline portable/x.json (operators_per_step 412 -> 500 (+21.4 %), and 1 more metric)"};
  EXPECT_EQ(told_of(&base, &head), expected);
  head.provenance.reason = "a reason that somebody typed";
  EXPECT_EQ(told_of(&base, &head), expected);
}

TEST(BaselineLimits, AnyPartOfTheFileCanBeEdited) {
  const Baseline base = portable_sample();
  Baseline head = portable_sample();
  head.key["torch"] = "2.12.0";
  EXPECT_EQ(told_of(&base, &head),
            LimitLines{"edited by hand baseline portable/x.json (no metric, but other parts of the file)"});
  head = portable_sample();
  head.exact["operators_per_step"] = {400, 424};
  EXPECT_EQ(told_of(&base, &head), LimitLines{"edited by hand baseline portable/x.json (1 metric with other values)"});
}

TEST(BaselineLimits, AnAcceptedMoveNamesWhoAcceptedIt) {
  const Baseline base = portable_sample();
  Baseline head = portable_sample();
  const std::string by = accepted_then(head);
  head.exact["operators_per_step"] = {424, 424};
  head.bytes["peak_allocated_bytes"] = {655360};
  EXPECT_EQ(told_of(&base, &head),
            (LimitLines{"accepted baseline portable/x.json operators_per_step 412 -> 424 (+2.9 %, " + by + ")",
                        "tightened baseline portable/x.json peak_allocated_bytes 1.25 MiB -> 640.0 KiB (-50.0 %, " +
                            by + ")"}));
}

TEST(BaselineLimits, ALossHasNoDirection) {
  const Baseline base = portable_sample();
  Baseline head = portable_sample();
  const std::string by = accepted_then(head);
  head.numerics->loss = {4.0, 7.0};
  EXPECT_EQ(told_of(&base, &head), LimitLines{"changed baseline portable/x.json loss 3.5 -> 7 (+100.0 %, " + by + ")"});
}

TEST(BaselineLimits, WhatIsNoLongerStoredIsRemovedUnlessItIsDeclaredToVary) {
  const Baseline base = portable_sample();
  Baseline head = portable_sample();
  accepted_then(head);
  head.bytes.clear();
  EXPECT_EQ(told_of(&base, &head), LimitLines{"removed baseline portable/x.json peak_allocated_bytes"});
  EXPECT_EQ(told_of(&base, &head, {"peak_allocated_bytes"}), LimitLines{});
  EXPECT_EQ(told_of(&base, nullptr), LimitLines{"removed baseline portable/x.json"});
}

TEST(BaselineLimits, FewerStepsLookAtLess) {
  const Baseline base = portable_sample();
  Baseline head = portable_sample();
  const std::string by = accepted_then(head);
  head.exact["operators_per_step"] = {412};
  EXPECT_EQ(told_of(&base, &head), LimitLines{"loosened baseline portable/x.json counted steps 2 -> 1 (" + by + ")"});
}

TEST(BaselineLimits, ANewSessionIsToldWhereATimeMovedByMoreThanItsMargin) {
  const Baseline base = runner_sample();
  Baseline head = runner_sample();
  const std::string by = accepted_then(head);
  head.sessions.push_back(session_at(9000, 1.005e7));
  EXPECT_EQ(told_of(&base, &head), LimitLines{});
  head.sessions = {session_at(9000, 1.3e7)};
  EXPECT_EQ(told_of(&base, &head),
            LimitLines{"accepted baseline portable/x.json step_time_ns 10.0 ms -> 13.0 ms (+30.0 %, " + by + ")"});
}

TEST(BaselineLimits, AFirstBaselineIsAdded) {
  Baseline head = portable_sample();
  const std::string by = accepted_then(head);
  EXPECT_EQ(told_of(nullptr, &head), LimitLines{"added baseline portable/x.json (" + by + ")"});
}

}  // namespace
}  // namespace stepgate
