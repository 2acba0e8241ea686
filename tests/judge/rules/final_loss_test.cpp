// final_loss in the verdict on a case; trajectory_rule_test.cpp tests the rule itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "judge/example_case.h"
#include "judge/verdict/gating_metrics.h"

namespace stepgate {
namespace {

/// Five seeds whose runs end near 2, and near 2 * `factor` for the head, with 0.1 % noise.
LossTrajectories runs_ending_at(double factor) {
  LossTrajectories runs;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const double own = 2 + 0.1 * static_cast<double>(seed);
    const double shaken = own * factor * (1 + 0.001 * (static_cast<double>(seed % 3) - 1));
    runs.base.push_back({.seed = seed, .losses = std::vector<double>(20, own)});
    runs.head.push_back({.seed = seed, .losses = std::vector<double>(20, shaken)});
  }
  return runs;
}

TEST(FinalLoss, HasMarginsOfItsOwn) {
  ExampleCase example = example_case();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "final_loss").reason), "no verdict");
  const LossTrajectories alike = runs_ending_at(1.0);
  example.trajectories = &alike;
  EXPECT_EQ(verdict_on(example.judge(), "final_loss").status, Status::pass);
  const LossTrajectories worse = runs_ending_at(1.03);
  example.trajectories = &worse;
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_EQ(name_of(example.judge().reason), "numerics-changed");
  example.policy.margins = {.ignore = 0.5, .matter = 0.6};
  EXPECT_EQ(example.judge().status, Status::regressed) << "losses do not use the margins of times";
  example.policy.final_loss_margins = {.ignore = 0.05, .matter = 0.10};
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(FinalLoss, SharesItsErrorOverTheSuitesCases) {
  ExampleCase example = example_case();
  const LossTrajectories slightly_worse = runs_ending_at(1.0125);  // about four standard errors above the margin
  example.trajectories = &slightly_worse;
  example.hypotheses = gating_timed_metrics_per_case(Device::cpu);
  EXPECT_EQ(verdict_on(example.judge(), "final_loss").status, Status::regressed);
  example.hypotheses = 100 * gating_timed_metrics_per_case(Device::cpu);
  EXPECT_NE(verdict_on(example.judge(), "final_loss").status, Status::regressed);
}

TEST(FinalLoss, OfBuildsThatTrainSomethingElseIsNeverRed) {
  ExampleCase example = example_case();
  const LossTrajectories worse = runs_ending_at(1.03);
  example.trajectories = &worse;
  example.portable_mismatches = {{"data", "1111", "2222"}};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "final_loss").reason), "incompatible-baseline");
  EXPECT_EQ(example.judge().status, Status::no_baseline);
  LossTrajectories broken = worse;
  broken.head[2].losses[11] = std::numeric_limits<double>::quiet_NaN();
  example.trajectories = &broken;
  EXPECT_EQ(name_of(verdict_on(example.judge(), "final_loss").reason), "non-finite") << "red after any training";
}

TEST(FinalLoss, OfRunsWithoutLossesOrOfOneSideOnlyIsOpen) {
  ExampleCase example = example_case();
  LossTrajectories runs = runs_ending_at(1.0);
  example.trajectories = &runs;
  for (SeededLosses& run : runs.head) run.losses.clear();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "final_loss").reason), "steps-differ");
  EXPECT_EQ(example.judge().status, Status::inconclusive);
  runs.head.clear();
  EXPECT_EQ(name_of(verdict_on(example.judge(), "final_loss").reason), "seeds-differ");
  const LossTrajectories none;
  example.trajectories = &none;
  EXPECT_EQ(example.judge().status, Status::inconclusive);
}

TEST(FinalLoss, RefusesMarginsThatMakeNoSense) {
  ExampleCase example = example_case();
  example.policy.final_loss_margins = {.ignore = 0.05, .matter = 0.01};
  EXPECT_THROW(example.judge(), Error);
}

}  // namespace
}  // namespace stepgate
