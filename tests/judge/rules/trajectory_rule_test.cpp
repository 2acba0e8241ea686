#include "judge/rules/trajectory_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stepgate {
namespace {

using Runs = std::vector<SeededLosses>;

/// Ten losses per run; the last two, 2 x (1 + change + noise of the seed), give its final loss.
Runs runs_of(double change, double noise, std::size_t seeds = 5) {
  const double each[] = {0.3, -1.2, 0.8, -0.4, 0.5, 1.1, -0.9};
  Runs runs;
  for (std::size_t i = 0; i < seeds; ++i) {
    SeededLosses run{.seed = 100 + i, .losses = std::vector<double>(8, 5.0)};
    run.losses.insert(run.losses.end(), 2, 2 * (1 + change + noise * each[i]));
    runs.push_back(run);
  }
  return runs;
}

MetricVerdict verdict_on(const Runs& base, const Runs& head) {
  MetricVerdict verdict;
  apply_trajectory_rule(base, head, TrajectoryLimits{}, verdict);
  return verdict;
}

TEST(TrajectoryRule, EqualRunsPass) {
  EXPECT_EQ(name_of(verdict_on(runs_of(0, 0), runs_of(0, 0)).reason), "equal");
  EXPECT_EQ(verdict_on(runs_of(0, 0), runs_of(0, 0)).status, Status::pass);
}

TEST(TrajectoryRule, NoiseWithinTheMarginPasses) {
  const MetricVerdict verdict = verdict_on(runs_of(0, 0), runs_of(0.002, 0.005));
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(name_of(verdict.reason), "within-limit");
  EXPECT_NEAR(*verdict.change, 0.002, 1e-6);
}

TEST(TrajectoryRule, AHigherAndALowerLossAreBothChanges) {
  EXPECT_EQ(name_of(verdict_on(runs_of(0, 0), runs_of(0.05, 0.005)).reason), "numerics-changed");
  EXPECT_EQ(name_of(verdict_on(runs_of(0, 0), runs_of(-0.05, 0.005)).reason), "numerics-changed");
  EXPECT_EQ(verdict_on(runs_of(0, 0), runs_of(-0.05, 0.005)).status, Status::regressed);
}

TEST(TrajectoryRule, TheIntervalIsStudents) {
  // d = .05 + .005 (.3, -1.2, .8, -.4, .5): s = .005 x .8031, se = s / sqrt 5, t.ppf(.975, 4) = 2.7764.
  const MetricVerdict verdict = verdict_on(runs_of(0, 0), runs_of(0.05, 0.005));
  EXPECT_NEAR(*verdict.change, 0.05, 1e-9);
  EXPECT_NEAR(verdict.interval->lower, 0.05 - 2.7764 * 0.005 * 0.80312 / std::sqrt(5.0), 1e-5);
}

TEST(TrajectoryRule, OnlyTheLastFifthCounts) {
  Runs head = runs_of(0.002, 0.005);
  for (SeededLosses& run : head) run.losses[7] = 50;
  EXPECT_EQ(verdict_on(runs_of(0, 0), head).status, Status::pass);
  for (SeededLosses& run : head) run.losses[8] = 50;
  EXPECT_EQ(name_of(verdict_on(runs_of(0, 0), head).reason), "numerics-changed");
}

TEST(TrajectoryRule, TooMuchNoiseIsInconclusive) {
  EXPECT_EQ(name_of(verdict_on(runs_of(0, 0), runs_of(0.02, 0.1)).reason), "interval-too-wide");
}

TEST(TrajectoryRule, PairsBySeedWhateverTheOrder) {
  Runs base = runs_of(0, 0.2);
  Runs head = runs_of(0.002, 0.2);
  for (std::size_t i = 0; i < head.size(); ++i) head[i].losses[9] += 0.001 * static_cast<double>(i % 2);
  const MetricVerdict ordered = verdict_on(base, head);
  EXPECT_EQ(ordered.status, Status::pass);
  std::reverse(head.begin(), head.end());
  EXPECT_EQ(verdict_on(base, head).status, Status::pass);
  EXPECT_DOUBLE_EQ(*verdict_on(base, head).change, *ordered.change);
}

TEST(TrajectoryRule, UnfitRunsNeverPass) {
  const Runs base = runs_of(0, 0);
  EXPECT_EQ(name_of(verdict_on({}, {}).reason), "too-few-seeds");
  EXPECT_EQ(name_of(verdict_on(runs_of(0, 0, 4), runs_of(0, 0, 4)).reason), "too-few-seeds");
  EXPECT_EQ(name_of(verdict_on(base, runs_of(0, 0, 6)).reason), "seeds-differ");
  Runs twice = base;
  twice[1].seed = twice[0].seed;
  EXPECT_EQ(name_of(verdict_on(base, twice).reason), "seeds-differ");
  Runs shorter = base;
  shorter[2].losses.pop_back();
  EXPECT_EQ(name_of(verdict_on(base, shorter).reason), "steps-differ");
  EXPECT_EQ(name_of(verdict_on(base, runs_of(0.001, 0)).reason), "constant-differences");
}

TEST(TrajectoryRule, ANonFiniteLossIsRedAndNeverComparedWithAnother) {
  Runs broken = runs_of(0, 0);
  broken[3].losses[4] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(verdict_on(runs_of(0, 0), broken).status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(broken, broken).reason), "non-finite");
  EXPECT_EQ(name_of(verdict_on(broken, runs_of(0, 0)).reason), "baseline-non-finite");
}

}  // namespace
}  // namespace stepgate
