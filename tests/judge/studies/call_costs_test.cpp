#include "judge/studies/call_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/repeated_place.h"
#include "judge/studies/repeated_block.h"
#include "stats/student_t.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;

/// Each round has a block of 10 steps of each variant. A passed step takes 10 % more than an unchanged one.
class RepeatedCase {
 public:
  explicit RepeatedCase(std::size_t processes) {
    for (std::size_t i = 0; i < processes; ++i) {
      Replicate& replicate = measurement.replicates.emplace_back();
      replicate.group = Group::profile;
      replicate.index = static_cast<std::int64_t>(i);
      replicate.record.emplace().profile.emplace();
      for (std::int64_t round = 0; round < rounds; ++round) {
        add_block(i, std::string(unchanged_calls), round, 1);
        add_block(i, std::string(passed_calls), round, 1.1);
      }
    }
  }

  ProfileRun& run(std::size_t process) { return *measurement.replicates[process].record->profile; }

  void add_block(std::size_t process, const std::string& variant, std::int64_t round, double step) {
    run(process).repeats.push_back(
        {.variant = variant, .round = round, .wall_ns = std::llround(10 * repeated_step_ns * step), .steps = 10});
  }

  /// One cost for each of the first processes.
  void add(const std::string& name, const std::vector<double>& costs) {
    places.push_back({.at = {}, .name = name});
    for (std::size_t i = 0; i < costs.size(); ++i) {
      run(i).repeated_calls[name] = 7;
      for (std::int64_t round = 0; round < rounds; ++round) add_block(i, name, round, 1.1 + costs[i]);
    }
  }

  std::vector<CallCost> costs(const ExperimentRules& rules = {}) const {
    return call_costs(places, {.repeats = measurement}, rules);
  }
  CallCost cost(const std::string& name) const {
    const auto all = costs();
    return *std::ranges::find(all, name, &CallCost::name);
  }

  static constexpr std::int64_t rounds = 3;
  Measurement measurement;
  std::vector<CallCost> places;
};

/// Around `center`, with a standard deviation of `scatter`.
std::vector<double> four_around(double center, double scatter) {
  const double d = scatter * std::sqrt(0.75);
  return {center - d, center + d, center - d, center + d};
}

double reach_of(const CallCost& cost) { return (cost.interval->upper - cost.interval->lower) / 2; }

std::vector<std::string> names_of(const std::vector<CallCost>& costs) {
  std::vector<std::string> names;
  for (const CallCost& cost : costs) names.push_back(cost.name);
  return names;
}

TEST(CallCosts, WhatItCostsToRepeatACallIsNoCostOfThePlace) {
  RepeatedCase made(4);
  made.add("char_lm.cpp:95", {0.2});
  made.add("mask", four_around(0.2, 0.001));
  for (std::size_t i = 0; i < 4; ++i) made.run(i).repeating_ns = 0.01 * repeated_step_ns;  // seven calls of each
  EXPECT_NEAR(*made.cost("mask").effect, 0.13, 1e-6);
}

TEST(CallCosts, RepeatingMayCostThreeTimesWhatWasMeasured) {
  RepeatedCase measured(2);
  measured.add("net.cpp:5", {0.2, 0.2});
  EXPECT_FALSE(measured.cost("net.cpp:5").most_overshoot) << "no rate of memory was measured";
  measured.places[0].most_overshoot = 0.01;
  measured.run(0).repeating_ns = 0.002 * repeated_step_ns;
  measured.run(1).repeating_ns = 0.004 * repeated_step_ns;
  const CallCost cost = measured.cost("net.cpp:5");
  EXPECT_NEAR(cost.most_repeating.value(), 2 * 7 * 0.003, 1e-9);
  EXPECT_NEAR(cost.most_overshoot.value(), 0.01 + 2 * 7 * 0.003, 1e-9);
}

TEST(CallCosts, WhatAStepLosesByTheSecondCallsIsTheCost) {
  RepeatedCase made(4);
  made.add("net.cpp:5", four_around(0.2, 0.002));
  made.places[0].observed = 0.25;
  const CallCost cost = made.cost("net.cpp:5");
  EXPECT_NEAR(*cost.effect, 0.2, 1e-9);
  EXPECT_EQ(cost.processes, 4);
  EXPECT_EQ(cost.calls, 7);
  EXPECT_EQ(cost.observed, 0.25);
  EXPECT_EQ(cost.proof, Proof::proven);
  EXPECT_EQ(cost.absent, "");
  EXPECT_NEAR(reach_of(cost), student_t_upper_quantile(0.025, 3) * 0.002 / 2, 1e-9);
}

TEST(CallCosts, WordsFollowFromTheIntervalAndTheMargin) {
  RepeatedCase made(4);
  made.add("refuted", four_around(0.001, 0.001));
  made.add("undecided", four_around(0.011, 0.001));
  made.add("small", four_around(0.03, 0.001));
  made.add("large", four_around(0.3, 0.001));
  EXPECT_EQ(made.cost("refuted").proof, Proof::refuted);
  EXPECT_EQ(made.cost("undecided").proof, Proof::undecided);
  EXPECT_EQ(made.cost("small").proof, Proof::proven);
  EXPECT_THAT(names_of(made.costs()), ElementsAre("large", "small", "undecided", "refuted"));
  EXPECT_EQ(made.costs({.ignore_margin = 0.1})[1].proof, Proof::refuted);
}

/// A slow round makes all of its blocks slow, and interference hits one block.
TEST(CallCosts, ARoundComparesWithItsOwnBlocksAndOneBlockMovesNothing) {
  RepeatedCase made(2);
  made.add("net.cpp:5", {0.2, 0.2});
  for (VariantBlock& block : made.run(0).repeats) block.wall_ns *= 1 + block.round;
  made.run(1).repeats.back().wall_ns *= 3;
  EXPECT_NEAR(*made.cost("net.cpp:5").effect, 0.2, 1e-9);
}

TEST(CallCosts, SeveralPassedBlocksOfARoundCountTogether) {
  RepeatedCase made(2);
  made.add("net.cpp:5", {0.2, 0.2});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::int64_t round = 0; round < RepeatedCase::rounds; ++round) {
      made.add_block(i, std::string(passed_calls), round, 1.2);
    }
  }
  EXPECT_NEAR(*made.cost("net.cpp:5").effect, 0.15, 1e-9);
}

TEST(CallCosts, ARoundWithoutAllItsBlocksIsLeftOut) {
  RepeatedCase made(2);
  made.add("net.cpp:5", {0.2, 0.2});
  made.run(0).repeats.back().steps = 0;
  made.add_block(0, "net.cpp:5", 9, 5);  // a round that has nothing else
  made.add_block(0, "net.cpp:5", 10, 5);
  made.add_block(0, "net.cpp:5", 11, 5);
  EXPECT_NEAR(*made.cost("net.cpp:5").effect, 0.2, 1e-9);
}

/// Four places, s = .001, .001, .001, .009: pooled variance (3e-6 + 81e-6) / 4.
TEST(CallCosts, QuietPlacesHaveThePooledScatterAndANoisyOneItsOwn) {
  RepeatedCase made(4);
  for (const char* name : {"a", "b", "c"}) made.add(name, four_around(0.2, 0.001));
  made.add("noisy", four_around(0.2, 0.009));
  const double t = student_t_upper_quantile(0.05 / 4 / 2, 4 * 3 / (1 + 3 * 0.25));
  EXPECT_NEAR(reach_of(made.cost("a")), t * std::sqrt(21e-6) / 2, 1e-9);
  EXPECT_NEAR(reach_of(made.cost("noisy")), t * 0.009 / 2, 1e-9);
}

/// Places in 6 processes that all cost 5 %, with these variances of their blocks in units of .005^2.
class CostSimulation {
 public:
  CostSimulation(std::vector<double> variances, bool common_passed)
      : variances_(std::move(variances)), common_passed_(common_passed) {}

  int trials_that_hold(int trials) {
    int hold = 0;
    for (int i = 0; i < trials; ++i) hold += holds() ? 1 : 0;
    return hold;
  }

 private:
  bool holds() {
    for (std::size_t process = 0; process < 6; ++process) draw(made_.run(process));
    return std::ranges::all_of(made_.costs(), [](const CallCost& cost) {
      return cost.interval->lower <= 0.05 && cost.interval->upper >= 0.05;
    });
  }

  void draw(ProfileRun& run) {
    const double passed = common_passed_ ? 1.1 + noise(1) : 1.1;
    run.repeats = {repeated_block(unchanged_calls, 1), repeated_block(passed_calls, passed)};
    for (std::size_t i = 0; i < variances_.size(); ++i) {
      const std::string name = std::to_string(i);
      run.repeated_calls[name] = 1;
      run.repeats.push_back(repeated_block(name, 1.15 + noise(variances_[i])));
      if (made_.places.size() <= i) made_.places.push_back({.at = {}, .name = name});
    }
  }

  double noise(double variance) { return 0.005 * std::sqrt(variance) * normal_(generator_); }

  std::vector<double> variances_;
  bool common_passed_;
  RepeatedCase made_{6};
  std::mt19937_64 generator_{1};
  std::normal_distribution<double> normal_;
};

/// The claim is 95 %; 2000 draws have a standard error of 0.5 %.
TEST(CallCosts, AllIntervalsHoldTogether) {
  constexpr int trials = 2000;
  for (const bool common_passed : {false, true}) {
    for (const double other : {1.0, 2.0, 9.0}) {
      CostSimulation simulation({1, other, 1, other, 1, other, 1, other}, common_passed);
      EXPECT_GE(simulation.trials_that_hold(trials), 0.94 * trials) << "variances 1:" << other << ", " << common_passed;
    }
  }
}

/// A process of the second look has more rounds of fewer places: it counts as two.
TEST(CallCosts, ProcessesOfTheSecondLookCountTwiceWithAScatterOfTheirOwn) {
  RepeatedCase made(8);
  std::vector<double> costs = four_around(0.2, 0.012);
  for (const double cost : four_around(0.23, 0.006)) costs.push_back(cost);
  made.add("net.cpp:5", costs);
  const auto found = call_costs(made.places, {.repeats = made.measurement, .first_look = 4});
  EXPECT_NEAR(*found[0].effect, (4 * 0.2 + 8 * 0.23) / 12, 1e-9);
  EXPECT_EQ(found[0].processes, 8);
  const double first = 0.012 * 0.012 / 4 / 9;
  const double second = 0.006 * 0.006 / 4 * 4 / 9;  // equal parts of the variance: six degrees of freedom
  EXPECT_NEAR(reach_of(found[0]), student_t_upper_quantile(0.025, 6) * std::sqrt(first + second), 1e-9);
}

TEST(CallCosts, APlaceThatTheSecondLookLeftOutKeepsItsResult) {
  RepeatedCase made(8);
  made.add("ended", four_around(0.2, 0.01));
  made.add("goes on", {0.1, 0.12, 0.1, 0.12, 0.1, 0.12, 0.1, 0.12});
  Measurement first = made.measurement;
  first.replicates.resize(4);
  const auto now = call_costs(made.places, {.repeats = first}, {.level = 0.99});
  const auto all =
      call_costs(made.places, {.repeats = made.measurement, .first_look = 4, .ended = ended_before(now, {"goes on"})});
  EXPECT_EQ(all[0].name, "ended");
  EXPECT_EQ(all[0].processes, 4);
  EXPECT_EQ(all[0].interval->lower, now[0].interval->lower) << "at the level of its look";
  EXPECT_EQ(all[1].processes, 8);
}

TEST(CallCosts, ASecondLookRunsWhatIsOpenOrToldTooWidely) {
  RepeatedCase quiet(4);
  quiet.add("narrow", four_around(0.2, 0.001));
  quiet.add("small", four_around(0.04, 0.001));
  quiet.add("open, and too small", four_around(0.011, 0.001));
  quiet.add("absent", {});
  quiet.places[0].observed = 0.2;
  quiet.places[1].observed = 0.01;
  EXPECT_THAT(places_of_next_look(quiet.costs()), ElementsAre());
  quiet.places[0].observed = 0.09;
  EXPECT_THAT(places_of_next_look(quiet.costs()), ElementsAre("narrow")) << "twice as much as was seen";
  EXPECT_THAT(names_of(ended_before(quiet.costs(), {"narrow"})), ElementsAre("small", "open, and too small"));

  RepeatedCase loud(4);
  loud.add("wide", four_around(0.2, 0.04));
  loud.add("open", four_around(0.03, 0.04));
  loud.places[0].observed = 0.2;
  EXPECT_THAT(places_of_next_look(loud.costs()), ElementsAre("wide", "open"));
}

TEST(CallCosts, ProcessesThatWereDisturbedDoNotCount) {
  RepeatedCase made(3);
  made.add("net.cpp:5", {0.2, 0.2, 0.9});
  made.measurement.replicates[2].taint_reasons = {"steal"};
  EXPECT_NEAR(*made.cost("net.cpp:5").effect, 0.2, 1e-9);
  EXPECT_EQ(made.cost("net.cpp:5").processes, 2);
}

TEST(CallCosts, APlaceWithoutCallsOrProcessesSaysSo) {
  RepeatedCase made(2);
  made.add("worker", {0.0, 0.0});
  for (std::size_t i = 0; i < 2; ++i) made.run(i).repeated_calls["worker"] = 0;
  made.add("once", {0.2});
  made.add("never", {});
  made.add("cost", {0.2, 0.2});
  EXPECT_FALSE(made.cost("worker").effect);
  EXPECT_EQ(made.cost("worker").absent, "no call of it ran on the step's thread");
  EXPECT_EQ(made.cost("never").absent, "no call of it ran on the step's thread");
  EXPECT_EQ(made.cost("once").absent, "fewer than two clean processes ran it");
  EXPECT_EQ(made.cost("once").processes, 1);
  EXPECT_THAT(names_of(made.costs()), ElementsAre("cost", "worker", "once", "never"));
  for (Replicate& replicate : made.measurement.replicates) replicate.taint_reasons = {"steal"};
  EXPECT_EQ(made.cost("cost").absent, "fewer than two clean processes ran it");
}

TEST(CallCosts, TheReasonOfAProcessIsTold) {
  RepeatedCase made(2);
  made.add("net.cpp:5", {});
  made.run(1).absent[std::string(repeated_calls)] = "the step is a CUDA graph";
  EXPECT_EQ(made.cost("net.cpp:5").absent, "the step is a CUDA graph");
  made.run(1).absent.clear();
  made.run(1).absent[repeated_calls_of("net.cpp:5")] = "40 % of the steps call other operators";
  EXPECT_EQ(made.cost("net.cpp:5").absent, "40 % of the steps call other operators");
}

}  // namespace
}  // namespace stepgate
