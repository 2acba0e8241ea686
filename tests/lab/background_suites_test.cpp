#include "lab/background_suites.h"

#include <gtest/gtest.h>

#include "judge/interval/pair_plan.h"

namespace stepgate::lab {
namespace {

SuiteOutcome background_outcome(double base_work, double head_work, bool looks = true) {
  const NoiseModel model{.name = "process-0.5%"};
  const PairRule rule(default_pair_plan(), {.red = 0.05 / 20, .pass = 0.05});
  return simulate(BackgroundSuites{
      .model = model, .rule = rule, .base_work = base_work, .head_work = head_work, .looks = looks, .suites = 20});
}

TEST(BackgroundSuites, AHeadThatWorksInTheBackgroundIsRed) {
  const SuiteOutcome outcome = background_outcome(0, 0.8);
  EXPECT_EQ(outcome.regressed, outcome.metrics);
}

TEST(BackgroundSuites, NobodyWouldSeeItInAlternatingWindows) {
  EXPECT_EQ(background_outcome(0, 0.8, false).regressed, 0);
}

TEST(BackgroundSuites, WhatBothBuildsDoIsNotRed) {
  const SuiteOutcome outcome = background_outcome(0.8, 0.8);
  EXPECT_LE(outcome.red_suites, 3);  // of 20; promised are 5 %
  EXPECT_GT(outcome.passed, outcome.metrics / 2);
}

}  // namespace
}  // namespace stepgate::lab
