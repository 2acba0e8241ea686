// Critical values below: SciPy 1.17 t.isf. M = 20: alpha / M = .0025, beta = .05.
#include "judge/rules/paired_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/error.h"

namespace stepgate {
namespace {

const ErrorShares shares_of_20{.red = 0.05 / 20, .pass = 0.05};

const PairRule& rule_of_20() {
  static const PairRule rule(default_pair_plan(), shares_of_20);
  return rule;
}

/// Sixteen differences of mean zero and no order in any prefix that an interim analysis takes, each about `size`.
std::vector<double> noise(double size) {
  std::vector<double> result;
  for (double each : {1., -1., -.8, .9, 1.1, -1.2, .7, -.7, -.9, 1., 1.05, -1.15, -.95, .85, .8, -.7}) {
    result.push_back(size * each);
  }
  return result;
}

std::vector<double> shifted(std::vector<double> differences, double change) {
  for (double& each : differences) each += std::log1p(change);
  return differences;
}

std::vector<double> first(const std::vector<double>& all, std::ptrdiff_t count) {
  return {all.begin(), all.begin() + count};
}

PairedDecision decision_on(const std::vector<double>& differences) {
  return decide_pairs(differences, Margins{}, rule_of_20());
}

TEST(PairedRule, SpendsTheSharesOfEachInterimAnalysis) {
  const PairRule& rule = rule_of_20();
  EXPECT_TRUE(std::isinf(rule.critical(0).red));
  EXPECT_TRUE(std::isinf(rule.critical(1).red));
  const double red[] = {5.407882520861726, 4.194271591088894, 3.623917610857708};
  const double pass[] = {7.453318505150624, 4.032142983555229, 2.997951566868528, 2.5930926825393623,
                         2.2485402916106656};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rule.critical(i + 2).red, red[i], 1e-10);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(rule.critical(i).pass, pass[i], 1e-10);
}

TEST(PairedRule, UnchangedPassesAtTheFirstInterimAnalysis) {
  const PairedDecision decision = decision_on(first(noise(0.002), 4));
  EXPECT_EQ(decision.call, Call::pass);
  EXPECT_EQ(decision.analysis, 4);
  EXPECT_EQ(name_of(decision.reason), "within-limit");
}

TEST(PairedRule, RedWaitsForTheEighthPair) {
  const std::vector<double> slower = shifted(noise(0.002), 0.2);
  EXPECT_EQ(decision_on(first(slower, 4)).call, Call::inconclusive);
  EXPECT_EQ(decision_on(first(slower, 7)).call, Call::inconclusive);
  EXPECT_EQ(decision_on(first(slower, 7)).more_pairs, 1);
  EXPECT_EQ(decision_on(first(slower, 8)).call, Call::regressed);
  EXPECT_EQ(name_of(decision_on(first(slower, 8)).reason), "regressed");
}

TEST(PairedRule, APassThatLooksFasterStaysAPass) {
  std::vector<double> faster = shifted(noise(0.002), -0.2);
  for (std::size_t i = 4; i < 8; ++i) faster[i] += 0.8;
  const PairedDecision decision = decision_on(first(faster, 8));
  EXPECT_EQ(decision.call, Call::pass) << "decided at four pairs; it never becomes red";
  EXPECT_EQ(decision.analysis, 4);
  EXPECT_FALSE(decision.improved_after);
}

TEST(PairedRule, WhatIsBarelyFasterPassesWithoutFurtherPairs) {
  EXPECT_FALSE(decision_on(first(noise(0.002), 4)).improved_after);
  EXPECT_FALSE(decision_on(first(shifted(noise(0.002), -0.012), 4)).improved_after) << "its interval reaches -1 %";
  const PairRule green_only(pair_plan_up_to(6), shares_of_20);
  const auto faster = shifted(noise(0.002), -0.2);
  EXPECT_FALSE(decide_pairs(first(faster, 4), Margins{}, green_only).improved_after)
      << "six pairs call nothing improved";
}

TEST(PairedRule, ImprovedWaitsForTheEighthPairToo) {
  // It passes earlier, because it is far below the matter margin.
  const std::vector<double> faster = shifted(noise(0.002), -0.2);
  EXPECT_EQ(decision_on(first(faster, 4)).call, Call::pass);
  EXPECT_EQ(decision_on(first(faster, 4)).improved_after, 4);
  EXPECT_EQ(decision_on(first(faster, 7)).improved_after, 1);
  EXPECT_EQ(decision_on(first(faster, 8)).call, Call::improved);
  EXPECT_EQ(decision_on(first(faster, 8)).analysis, 8);
  EXPECT_FALSE(decision_on(first(faster, 8)).improved_after);
  const PairRule fixed(fixed_pair_plan(8), shares_of_20);
  EXPECT_EQ(decide_pairs(first(faster, 8), Margins{}, fixed).call, Call::improved);
  EXPECT_EQ(name_of(decide_pairs(first(faster, 8), Margins{}, fixed).reason), "faster");
}

TEST(PairedRule, TheFirstDecisionStops) {
  // Passes at four pairs; later pairs cannot change that, however slow they are.
  std::vector<double> differences = noise(0.002);
  for (std::size_t i = 4; i < differences.size(); ++i) differences[i] += 0.3;
  const PairedDecision decision = decision_on(differences);
  EXPECT_EQ(decision.call, Call::pass);
  EXPECT_EQ(decision.analysis, 4);
}

TEST(PairedRule, IsAFunctionOfTheSequence) {
  const std::vector<double> slower = shifted(noise(0.02), 0.07);
  const PairedDecision whole = decision_on(slower);
  for (std::ptrdiff_t n = whole.analysis; n <= 16; ++n) {
    const PairedDecision resumed = decision_on(first(slower, n));
    EXPECT_EQ(resumed.call, whole.call) << n;
    EXPECT_EQ(resumed.analysis, whole.analysis) << n;
    EXPECT_EQ(resumed.interval.lower, whole.interval.lower) << n;
  }
  EXPECT_NE(whole.call, Call::inconclusive);
}

TEST(PairedRule, BetweenMarginsStaysUndecided) {
  const PairedDecision decision = decision_on(shifted(noise(0.04), 0.04));
  EXPECT_EQ(decision.call, Call::inconclusive);
  EXPECT_EQ(name_of(decision.reason), "interval-too-wide");
  EXPECT_EQ(decision.analysis, 16);
  EXPECT_FALSE(decision.more_pairs);
  EXPECT_LT(decision.interval.lower, 0.01);
  EXPECT_GT(decision.interval.upper, 0.05);
}

TEST(PairedRule, SaysHowManyMorePairsItWouldTake) {
  // s = 2.2 %: at +9 % twelve pairs leave (ln 1.09 - ln 1.01) / (.022/sqrt 12) = 12 standard errors, eight leave 9.8.
  const std::vector<double> slower = shifted(noise(0.02), 0.09);
  const PairedDecision decision = decision_on(first(slower, 6));
  EXPECT_EQ(decision.call, Call::inconclusive);
  EXPECT_EQ(decision.more_pairs, 2);
}

TEST(PairedRule, SaysAfterHowManyPairsItWouldBeRed) {
  // s = 2.2 %. At +9 % eight pairs would be red (the test before); at +1 % none would, but eight would pass.
  EXPECT_EQ(decision_on(first(shifted(noise(0.02), 0.09), 6)).red_after, 2);
  const PairedDecision unchanged = decision_on(first(shifted(noise(0.02), 0.01), 4));
  EXPECT_TRUE(unchanged.more_pairs);
  EXPECT_FALSE(unchanged.red_after);
  EXPECT_FALSE(decision_on(shifted(noise(0.04), 0.04)).red_after) << "no more pairs are planned";
}

TEST(PairedRule, StatesTheChangeThatItsPlanDetects) {
  // Fixed 8 pairs, .5 % process noise: s = .5 % sqrt 2, MDE 2.6 % (docs/design/statistics.md, "Detectable change").
  const PairRule fixed(fixed_pair_plan(8), shares_of_20);
  EXPECT_NEAR(100 * fixed.detectable_change(0.005 * std::sqrt(2.0), Margins{}), 2.60, 0.02);
  EXPECT_NEAR(100 * fixed.detectable_change(0.01 * std::sqrt(2.0), Margins{}), 4.25, 0.01);
  const PairedDecision decision = decision_on(first(noise(0.002), 8));
  EXPECT_EQ(decision.detectable_change, 0.05);  // less may pass at four pairs
  // Simulation gives 7.06 % at 3 % process noise (docs/verdict_quality.md): the rule's value is slightly above it.
  const double rough = rule_of_20().detectable_change(0.03 * std::sqrt(2.0), Margins{});
  EXPECT_GT(rough, 0.0706);
  EXPECT_LT(rough, 0.076);
}

TEST(PairedRule, ZeroVarianceCertifiesNothing) {
  const PairedDecision decision = decision_on(std::vector<double>(16, 0.0));
  EXPECT_EQ(decision.call, Call::inconclusive);
  EXPECT_EQ(name_of(decision.reason), "constant-differences");
  EXPECT_EQ(decision_on(std::vector<double>(16, 0.3)).call, Call::inconclusive);
}

TEST(PairedRule, TheSpreadHasTheTimersFloor) {
  std::vector<double> differences(8, 0.0101);
  differences[3] += 1e-9;
  const PairedDecision decision = decision_on(differences);
  EXPECT_NEAR(decision.spread, 1e-4 * std::sqrt(2.0), 1e-12);
  // Above the ignore margin (ln 1.01 = .00995) by less than the floor can resolve.
  EXPECT_EQ(decision.call, Call::pass);
}

TEST(PairedRule, EmptySingleAndNonFiniteDecideNothing) {
  EXPECT_EQ(decision_on({}).call, Call::inconclusive);
  EXPECT_EQ(name_of(decision_on({}).reason), "too-few-pairs");
  EXPECT_EQ(decision_on({}).more_pairs, 4);
  EXPECT_EQ(name_of(decision_on({0.001}).reason), "too-few-pairs");
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<double> differences = noise(0.002);
    differences[9] = bad;
    EXPECT_EQ(decision_on(differences).call, Call::inconclusive);
    EXPECT_EQ(name_of(decision_on(differences).reason), "not-finite");
  }
}

TEST(PairedRule, DifferencesThatGrowDecideNothing) {
  std::vector<double> differences = shifted(noise(0.001), 0.1);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] += 0.01 * static_cast<double>(i);
  const PairedDecision decision = decision_on(differences);
  EXPECT_EQ(decision.call, Call::inconclusive);
  EXPECT_EQ(name_of(decision.reason), "drifting-differences");
}

TEST(PairedRule, AutocorrelatedDifferencesDecideNothing) {
  // Up, down, up: there is no linear trend, but neighbours resemble each other.
  std::vector<double> differences = shifted(noise(0.002), 0.2);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] += i < 5 || i > 10 ? 0.02 : -0.02;
  const PairedDecision decision = decide_pairs(differences, Margins{}, PairRule(fixed_pair_plan(16), shares_of_20));
  EXPECT_EQ(decision.call, Call::inconclusive);
  EXPECT_EQ(name_of(decision.reason), "autocorrelated-differences");
}

/// ln(ns) of sixteen processes in two modes: every third, beginning with `first`, is the slower.
std::vector<double> every_third_slower(int first) {
  std::vector<double> side;
  for (int i = 0; i < 16; ++i) side.push_back(10 + 0.001 * (i % 5) + (i % 3 == first ? 0.03 : 0));
  return side;
}

/// Sixteen differences of a slower head, evenly spread: one group.
std::vector<double> even_differences() {
  std::vector<double> result;
  for (const int place : {3, 12, 7, 0, 14, 5, 9, 2, 15, 6, 10, 1, 13, 4, 11, 8}) {
    result.push_back(std::log(1.2) + 0.0005 * place);
  }
  return result;
}

PairedDecision decision_with_modes(const std::vector<double>& base, const std::vector<double>& head,
                                   std::size_t pairs) {
  const std::vector<double> slower = even_differences();
  return decide_pairs(std::span(slower).first(pairs), Margins{}, rule_of_20(),
                      {std::span(base).first(pairs), std::span(head).first(pairs)});
}

TEST(PairedRule, TwoModesWaitForTheLastInterimAnalysis) {
  const std::vector<double> base = every_third_slower(0);
  const std::vector<double> head = every_third_slower(1);
  EXPECT_EQ(decision_with_modes(base, head, 12).call, Call::inconclusive);
  EXPECT_EQ(name_of(decision_with_modes(base, head, 12).reason), "two-modes");
  EXPECT_EQ(decision_with_modes(base, head, 16).call, Call::regressed);
}

TEST(PairedRule, ModesSharedByBothProcessesOfEveryPairCancel) {
  const std::vector<double> base = every_third_slower(0);
  std::vector<double> head = shifted(base, 0.2);
  EXPECT_EQ(name_of(decision_with_modes(base, head, 12).reason), "regressed");
  head[3] -= 0.03;  // in one pair only the base is slow
  EXPECT_EQ(name_of(decision_with_modes(base, head, 12).reason), "two-modes");
}

TEST(PairedRule, SmallModesOfAProcessShowBesideTheMachinesLargeOnes) {
  std::vector<double> base = every_third_slower(0);
  for (std::size_t i = 0; i < base.size(); i += 3) base[i] += 0.2;
  const std::vector<double> head = shifted(base, 0.2);
  std::vector<double> differences = shifted(noise(0.0005), 0.2);
  for (std::size_t i = 0; i < differences.size(); i += 2) differences[i] += 0.03;
  const PairedDecision decision = decide_pairs(std::span(differences).first(12), Margins{}, rule_of_20(),
                                               {std::span(base).first(12), std::span(head).first(12)});
  EXPECT_EQ(name_of(decision.reason), "two-modes");
}

TEST(PairedRule, ModesOfOnlyTheHeadDoNotCancel) {
  const std::vector<double> base(16, 10.0);
  std::vector<double> unlike = base;
  for (std::size_t i = 0; i < unlike.size(); ++i) unlike[i] += 0.0001 * static_cast<double>(i % 4);
  EXPECT_EQ(name_of(decision_with_modes(unlike, every_third_slower(0), 12).reason), "two-modes");
}

TEST(PairedRule, UnequalCountsAreRefused) {
  const std::vector<double> differences = noise(0.002);
  const std::vector<double> one_less(15, 1.0);
  EXPECT_THROW(decide_pairs(differences, Margins{}, rule_of_20(), {one_less, one_less}), std::domain_error);
}

TEST(PairedRule, RefusesSharesOutsideTheirRange) {
  EXPECT_THROW(PairRule(default_pair_plan(), {.red = 0, .pass = 0.05}), Error);
  EXPECT_THROW(PairRule(default_pair_plan(), {.red = 0.05, .pass = 0.6}), Error);
  EXPECT_THROW(PairRule({}, shares_of_20), Error);
}

}  // namespace
}  // namespace stepgate
