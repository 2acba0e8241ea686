// A floor beside pairs: the run ends when its times are decided, and a floor may be looked at before.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/metric.h"
#include "judge/limits/limit_call.h"

namespace stepgate {
namespace {

constexpr const char* looked_rate = "samples_per_s";
constexpr double looked_floor = 1600;

/// A run of one hypothesis, so that the whole alpha of 5 % is the floor's.
Comparison beside_pairs(std::int64_t most_pairs = 16) {
  PairedValues pairs;
  pairs.most_pairs = most_pairs;
  Comparison input;
  input.reference = PairedReference{.pairs = pairs};
  return input;
}

LimitVerdict look_at(const Comparison& input) {
  return call_limit(input, *find_metric(looked_rate),
                    {.kind = AbsoluteLimitKind::floor, .metric = looked_rate, .value = looked_floor});
}

/// An even number of processes with the mean so many standard errors from the floor.
std::vector<double> rates_at(double standard_errors, std::size_t processes) {
  constexpr double deviation = 0.01;
  const double centre = standard_errors * deviation / std::sqrt(static_cast<double>(processes) - 1);
  std::vector<double> rates;
  for (std::size_t i = 0; i < processes; ++i)
    rates.push_back(looked_floor * std::exp(centre + (i % 2 == 0 ? deviation : -deviation)));
  return rates;
}

LimitVerdict look_at(const std::vector<double>& rates, std::int64_t most_pairs = 16) {
  Comparison input = beside_pairs(most_pairs);
  input.current.timed[looked_rate] = rates;
  return look_at(input);
}

TEST(LimitLooks, TheFirstIsAtTheFirstAnalysisThatMayCallRegressed) {
  std::vector<double> rates = rates_at(-50, 8);
  const double last = rates.back();
  rates.pop_back();
  EXPECT_EQ(look_at(rates).outcome, LimitOutcome::undecided);
  EXPECT_EQ(look_at(rates).why, "it takes 8 clean processes to tell");
  rates.push_back(last);
  EXPECT_EQ(look_at(rates).outcome, LimitOutcome::missed);
}

TEST(LimitLooks, EachSpendsItsShareOfTheError) {
  // t(.05, 7) = 1.89 and t(.2 * .05, 7) = 3.00
  EXPECT_EQ(look_at(rates_at(-2.4, 8)).outcome, LimitOutcome::undecided);
  EXPECT_EQ(look_at(rates_at(-2.4, 8)).why, "it takes 12 clean processes to tell");
  EXPECT_EQ(look_at(rates_at(-3.5, 8)).outcome, LimitOutcome::missed);
  // t(.5 * .05, 15) = 2.13
  EXPECT_EQ(look_at(rates_at(-1.9, 16)).outcome, LimitOutcome::undecided);
  EXPECT_EQ(look_at(rates_at(-2.4, 16)).outcome, LimitOutcome::missed);
}

TEST(LimitLooks, NothingIsTestedBetweenTwo) {
  std::vector<double> rates = rates_at(-2.4, 8);
  for (int i = 0; i < 2; ++i) rates.push_back(rates[1]);
  EXPECT_EQ(look_at(rates).outcome, LimitOutcome::undecided);
  EXPECT_EQ(look_at(rates).why, "it takes 12 clean processes to tell");
}

TEST(LimitLooks, WhatOneFindsMissedStaysMissed) {
  std::vector<double> rates = rates_at(-3.5, 8);
  for (int i = 0; i < 8; ++i) rates.push_back(2 * looked_floor);
  const LimitVerdict verdict = look_at(rates);
  EXPECT_EQ(verdict.outcome, LimitOutcome::missed);
  EXPECT_EQ(verdict.processes, 8);
  ASSERT_TRUE(verdict.range);
  EXPECT_LT(verdict.range->upper, looked_floor);
}

TEST(LimitLooks, TheMeanAloneMeetsAFloorAtAnyTime) {
  EXPECT_EQ(look_at(rates_at(0.1, 2)).outcome, LimitOutcome::met);
  EXPECT_EQ(look_at(rates_at(0.1, 10)).outcome, LimitOutcome::met);
}

TEST(LimitLooks, AShortPlanHasOneAtItsEnd) {
  std::vector<double> rates = rates_at(-50, 6);
  EXPECT_EQ(look_at(rates, 6).outcome, LimitOutcome::missed);
  EXPECT_EQ(look_at(rates_at(-2.4, 6), 6).outcome, LimitOutcome::missed) << "with the whole error: t(.05, 5) = 2.02";
  rates.pop_back();
  EXPECT_EQ(look_at(rates, 6).outcome, LimitOutcome::undecided);
}

TEST(LimitLooks, ACaseOnItsFloorIsSeldomRedHoweverOftenItIsLookedAt) {
  std::mt19937_64 draws(7);
  std::normal_distribution<double> noise(0, 0.01);
  Comparison input = beside_pairs();
  constexpr int runs = 1000;
  int red = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double>& rates = input.current.timed[looked_rate];
    rates.clear();
    bool missed = false;
    for (int process = 1; process <= 16; ++process) {
      rates.push_back(looked_floor * std::exp(noise(draws)));
      missed = missed || look_at(input).outcome == LimitOutcome::missed;
    }
    red += missed ? 1 : 0;
  }
  // At most 5 % of 1 000, and chance adds more than 15 once in seventy such runs.
  EXPECT_LE(red, 65);
  EXPECT_GT(red, 0);
}

}  // namespace
}  // namespace stepgate
