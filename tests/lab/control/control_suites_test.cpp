#include "lab/control/control_suites.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stepgate::lab {
namespace {

ControlOutcome outcome_beside(const ControlModel& model, double change) {
  const PairRule rule(default_pair_plan(), {.red = 0.05 / 20, .pass = 0.05});
  return simulate({.model = model, .rule = rule, .change = change, .suites = 40, .seed = 3});
}

TEST(ControlSuites, AControlThatMovedLeavesALargeRedStanding) {
  const ControlOutcome outcome = outcome_beside({.name = "biased", .bias = 0.01}, 0.39);
  EXPECT_EQ(outcome.regressed, outcome.metrics);
  EXPECT_LT(outcome.regressed_if_any_moves, outcome.metrics / 2) << "most controls see 1 %";
}

TEST(ControlSuites, WhatTheBiasMadeIsNotRed) {
  const ControlOutcome outcome = outcome_beside({.name = "biased", .bias = 0.03, .hit = 2}, 0);
  EXPECT_EQ(outcome.red_suites_without, 40);
  EXPECT_EQ(outcome.regressed, 0);
}

TEST(ControlSuites, AControlOfAnotherCaseExplainsMore) {
  const ControlModel own{.name = "own", .bias = 0.03, .hit = 2};
  const ControlModel handed_on{.name = "handed on", .bias = 0.03, .hit = 2, .handed_on = true};
  EXPECT_GT(outcome_beside(own, 0.2).regressed, 700) << "of 800 cases";
  EXPECT_EQ(outcome_beside(handed_on, 0.2).regressed, 0) << "+27 % may be ten times 3 %";
}

TEST(ControlSuites, ModelsOfNoiseAreThoseOfTheirNames) {
  const auto models = control_models();
  for (const char* name : {"head-bursts", "ar-differences"}) {
    const auto at =
        std::find_if(models.begin(), models.end(), [&](const ControlModel& model) { return model.name == name; });
    ASSERT_NE(at, models.end()) << name;
    EXPECT_EQ(at->noise.name, name);
  }
}

TEST(ControlSuites, AllRulesAgreeWhereNoControlMoved) {
  const ControlOutcome outcome = outcome_beside({.name = "unbiased"}, 0.05);
  EXPECT_EQ(outcome.suites, 40);
  EXPECT_GE(outcome.regressed, outcome.regressed_if_any_moves);
  EXPECT_NEAR(static_cast<double>(outcome.regressed), static_cast<double>(outcome.regressed_if_any_moves), 40)
      << "one control in a hundred moves";
  EXPECT_EQ(outcome.red_suites_without, outcome.red_suites);
}

}  // namespace
}  // namespace stepgate::lab
