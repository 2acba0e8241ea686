#include "lab/group_suites.h"

#include <gtest/gtest.h>

namespace stepgate::lab {
namespace {

GroupSuites plan_of(const NoiseModel& model, GroupRule rule, bool another_day) {
  return {.model = model, .rule = rule, .another_day = another_day, .suites = 60, .seed = 5};
}

TEST(GroupSuites, WelchKeepsItsPromiseOnlyWhereNothingMoves) {
  const NoiseModel still{.name = "still"};
  EXPECT_LE(simulate(plan_of(still, GroupRule::welch, false)).red_suites, 8);
  const NoiseModel sessions{.name = "sessions", .session_sd = 0.02};
  EXPECT_LE(simulate(plan_of(sessions, GroupRule::welch, false)).red_suites, 8) << "one session for both";
  EXPECT_GE(simulate(plan_of(sessions, GroupRule::welch, true)).red_suites, 10) << "one session each";
}

TEST(GroupSuites, CompareLeavesOpenWhatAnotherDayDid) {
  const NoiseModel sessions{.name = "sessions", .session_sd = 0.02};
  const SuiteOutcome outcome = simulate(plan_of(sessions, GroupRule::compare, true));
  EXPECT_EQ(outcome.red_suites, 0);
  EXPECT_GT(outcome.inconclusive, outcome.metrics / 2);
}

TEST(GroupSuites, BothSeeALargeChange) {
  const NoiseModel still{.name = "still"};
  for (const GroupRule rule : {GroupRule::welch, GroupRule::compare}) {
    GroupSuites plan = plan_of(still, rule, true);
    plan.change = 0.5;
    const SuiteOutcome outcome = simulate(plan);
    EXPECT_EQ(outcome.regressed, outcome.metrics);
  }
}

TEST(GroupSuites, TheSameSeedGivesTheSameOutcome) {
  const NoiseModel sessions{.name = "sessions", .session_sd = 0.02};
  const GroupSuites plan = plan_of(sessions, GroupRule::welch, true);
  EXPECT_EQ(simulate(plan).regressed, simulate(plan).regressed);
}

}  // namespace
}  // namespace stepgate::lab
