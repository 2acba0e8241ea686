#include "judge/verdict/control_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace stepgate {
namespace {

using Outcome = ControlCheck::Outcome;

/// Eight pairs; the copy is slower by `change`, with noise of `spread`.
ControlResult control_of(double change, double spread) {
  ControlResult control{.case_name = "example/mlp/tiny", .metric = "step_time_ns", .pairs = {}};
  for (double each : {1., -1., -.8, .9, 1.1, -1.2, .7, -.7}) {
    control.pairs.push_back({.base = 20e6, .head = 20e6 * (1 + change + spread * each), .head_first = each > 0});
  }
  return control;
}

TEST(ControlCheck, DoesNotMoveWithinItsNoise) {
  const ControlCheck check = check_control(control_of(0.002, 0.01));
  EXPECT_EQ(check.outcome, Outcome::still);
  EXPECT_EQ(describe(check), "control still (+0.20 %, 8 pairs)");
}

TEST(ControlCheck, MovesEitherWay) {
  EXPECT_EQ(check_control(control_of(0.03, 0.01)).outcome, Outcome::moved);
  EXPECT_EQ(check_control(control_of(-0.03, 0.01)).outcome, Outcome::moved);
}

TEST(ControlCheck, RejectsAtOnePercentTwoSided) {
  // s = .0099, se = .0035; t.isf(.005, 7) = 3.499: moved beyond 1.22 %, where 5 % two-sided would reject from .83 %.
  const ControlCheck check = check_control(control_of(0.011, 0.01));
  EXPECT_EQ(check.outcome, Outcome::still);
  EXPECT_NEAR(check.tolerance, 0.0122, 0.0005);
}

TEST(ControlCheck, TooFewPairsSayNothing) {
  EXPECT_EQ(check_control(std::nullopt).outcome, Outcome::absent);
  ControlResult single = control_of(0.5, 0.01);
  single.pairs.resize(1);
  EXPECT_EQ(check_control(single).outcome, Outcome::absent);
  EXPECT_EQ(describe(check_control(single)), "no control");
}

TEST(ControlCheck, ABrokenControlCountsAsMoved) {
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    ControlResult control = control_of(0, 0.01);
    control.pairs[2].head = bad;
    EXPECT_EQ(check_control(control).outcome, Outcome::moved);
    EXPECT_EQ(explained_by_control(check_control(control), 2), std::numeric_limits<double>::infinity());
  }
}

TEST(ControlCheck, TellsTheIntervalOfAShift) {
  EXPECT_EQ(describe(check_control(control_of(0.003, 0.0005))), "control moved (+0.30 % [+0.24 %, +0.36 %], 8 pairs)");
}

TEST(ControlCheck, ExplainsTheLargestShiftOfItsIntervalTimesTheFactorEitherWay) {
  // s = .0005, se = .000177; 3.499 x .000177 = .00062.
  EXPECT_NEAR(explained_by_control(check_control(control_of(0.003, 0.0005)), 2), 2 * 0.00362, 2e-5);
  EXPECT_NEAR(explained_by_control(check_control(control_of(-0.003, 0.0005)), 2), 2 * 0.00363, 2e-5);
}

TEST(ControlCheck, ExplainsNothingWhereItDidNotMove) {
  EXPECT_EQ(explained_by_control(check_control(control_of(0.002, 0.01)), 2), 0);
  EXPECT_EQ(explained_by_control({}, 2), 0);
}

TEST(ControlFactor, IsThatOfTheSameWorkForWholeStepsOfItsOwnCaseOnly) {
  const ControlResult control = control_of(0.003, 0.0005);
  EXPECT_EQ(control_factor(control, "example/mlp/tiny", *find_metric("step_time_ns")), 2);
  EXPECT_EQ(control_factor(control, "example/mlp/tiny", *find_metric("effective_tokens_per_s")), 2);
  EXPECT_EQ(control_factor(control, "example/mlp/tiny", *find_metric("first_step_ns")), 10);
  EXPECT_EQ(control_factor(control, "example/mlp/tiny", *find_metric("loader_samples_per_s")), 10);
  EXPECT_EQ(control_factor(control, "example/mlp/large", *find_metric("step_time_ns")), 10);
  EXPECT_EQ(control_factor(std::nullopt, "example/mlp/tiny", *find_metric("step_time_ns")), 10);
}

TEST(StaysRed, NeedsTheLowerEndBeyondTheMarginAndTheExplainedPart) {
  PairedDecision decision;
  decision.call = Call::regressed;
  decision.interval = {std::expm1(std::log1p(0.01) + 0.0201), 1};
  EXPECT_TRUE(stays_red(decision, Margins{}, 0.02));
  EXPECT_FALSE(stays_red(decision, Margins{}, 0.0202));
  EXPECT_FALSE(stays_red(decision, Margins{.ignore = 0.02}, 0.02));
  EXPECT_FALSE(stays_red(decision, Margins{}, std::numeric_limits<double>::infinity()));
  decision.call = Call::inconclusive;
  EXPECT_FALSE(stays_red(decision, Margins{}, 0.02)) << "a control makes no red";
}

}  // namespace
}  // namespace stepgate
