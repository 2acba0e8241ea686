#include "judge/studies/ablation_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

using testing::HasSubstr;

// Two independent samples of noise for eight processes.
constexpr double first_noise[] = {0.012, -0.013, 0.008, 0.015, -0.011, 0.021, -0.007, -0.018};
constexpr double other_noise[] = {-0.012, 0.014, 0.007, -0.016, 0.012, 0.017, -0.019, 0.009};

struct InjectedEffect {
  double spread = 1;  ///< of the side with the knob, times that without it
  double shift = 0;   ///< relative, of the step time with it
};

AblatedKnob knob_with(const InjectedEffect& effect, std::size_t pairs = 8) {
  AblatedKnob knob;
  knob.knob.name = "governor";
  knob.knob.mode = GuardMode::host;
  knob.knob.state = KnobState::achieved;
  for (std::size_t i = 0; i < pairs; ++i) {
    AblationPair pair;
    pair.with = {1e6 * (1 + effect.shift) * std::exp(effect.spread * first_noise[i % 8]), 0.01};
    pair.without = {1e6 * std::exp(other_noise[i % 8]), 0.03};
    knob.pairs.push_back(pair);
  }
  return knob;
}

KnobEffect decided(const AblatedKnob& knob) { return effect_of(knob, {}); }

TEST(AblationVerdict, UseWhereTheIntervalLiesBelowOne) {
  const KnobEffect effect = decided(knob_with({.spread = 0.2}));
  EXPECT_EQ(effect.recommendation, Recommendation::use);
  ASSERT_TRUE(effect.ratio && effect.ratio_interval);
  EXPECT_NEAR(*effect.ratio, 0.2, 0.03);
  EXPECT_LT(effect.ratio_interval->upper, 1);
  EXPECT_NEAR(*effect.spread_with / *effect.spread_without, *effect.ratio, 1e-12) << "the table adds up";
  EXPECT_THAT(effect.reason, HasSubstr("of the spread without it"));
  EXPECT_EQ(*effect.within_with, 0.01);
  EXPECT_EQ(*effect.within_without, 0.03);
}

TEST(AblationVerdict, UseSaysSoWhereItCostsTime) {
  const KnobEffect effect = decided(knob_with({.spread = 0.2, .shift = 0.3}));
  EXPECT_EQ(effect.recommendation, Recommendation::use);
  EXPECT_NEAR(*effect.shift, 0.3, 0.02);
  EXPECT_THAT(effect.reason, HasSubstr("steps are slower, +"));
}

TEST(AblationVerdict, AvoidWhereTheIntervalLiesAboveOne) {
  const KnobEffect effect = decided(knob_with({.spread = 5}));
  EXPECT_EQ(effect.recommendation, Recommendation::avoid);
  EXPECT_GT(effect.ratio_interval->lower, 1);
  EXPECT_THAT(effect.reason, HasSubstr("times the spread without it"));
}

TEST(AblationVerdict, AvoidWhereItSurelySlowsForNoGain) {
  const KnobEffect slow = decided(knob_with({.spread = 1, .shift = 0.08}));
  EXPECT_EQ(slow.recommendation, Recommendation::avoid);
  EXPECT_THAT(slow.reason, HasSubstr("slower for no gain, +"));
  const KnobEffect slightly = decided(knob_with({.spread = 1, .shift = 0.03}));
  EXPECT_GT(slightly.shift_interval->lower, 0);
  EXPECT_NE(slightly.recommendation, Recommendation::avoid) << "slower, not surely by more than one percent";
  EXPECT_NE(decided(knob_with({.spread = 1, .shift = -0.08})).recommendation, Recommendation::avoid);
}

TEST(AblationVerdict, AnIntervalAroundOneNeitherRecommendsNorExcludes) {
  const KnobEffect lower = decided(knob_with({.spread = 0.8}));
  EXPECT_LT(*lower.ratio, 1);
  EXPECT_LT(lower.ratio_interval->upper, 1.5) << "only the lower end reaches beyond the factor";
  EXPECT_EQ(lower.recommendation, Recommendation::undecided);
  const KnobEffect higher = decided(knob_with({.spread = 1.25}));
  EXPECT_GT(*higher.ratio, 1);
  EXPECT_GT(higher.ratio_interval->lower, 1 / 1.5) << "only the upper end reaches beyond the factor";
  EXPECT_EQ(higher.recommendation, Recommendation::undecided);
}

TEST(AblationVerdict, IndifferentOnlyWhereTheFactorIsRuledOutBothWays) {
  EXPECT_EQ(decided(knob_with({.spread = 1}, 64)).recommendation, Recommendation::indifferent);
  AblationRules strict;
  strict.factor = 1.05;
  EXPECT_EQ(effect_of(knob_with({.spread = 1}, 64), strict).recommendation, Recommendation::undecided);
}

TEST(AblationVerdict, UndecidedSaysHowManyPairsItTakes) {
  const AblationRules rules{.level = 0.95, .slower = 0.01, .factor = 1.1, .most_pairs = 1000};
  const KnobEffect few = effect_of(knob_with({}, 8), rules);
  ASSERT_EQ(few.recommendation, Recommendation::undecided);
  ASSERT_TRUE(few.pairs_to_decide);
  EXPECT_THAT(few.reason, HasSubstr("about " + std::to_string(*few.pairs_to_decide) + " pairs"));
  // Repeating the same eight pairs keeps the ratio (almost) and shrinks the interval until it decides.
  const auto copies = static_cast<std::size_t>(*few.pairs_to_decide) / 8 + 1;
  EXPECT_EQ(effect_of(knob_with({}, 8 * copies), rules).recommendation, Recommendation::indifferent);
  EXPECT_EQ(effect_of(knob_with({}, 4 * copies), rules).recommendation, Recommendation::undecided);
}

TEST(AblationVerdict, UndecidedNamesNoNumberAboveTheMaximum) {
  const AblationRules rules{.level = 0.95, .slower = 0.01, .factor = 1.1, .most_pairs = 20};
  const KnobEffect effect = effect_of(knob_with({}), rules);
  EXPECT_FALSE(effect.pairs_to_decide);
  EXPECT_THAT(effect.reason, HasSubstr("more than 20 pairs"));
}

TEST(AblationVerdict, KnobsThatCannotBeJudgedAreUndecidedWithAReason) {
  const KnobEffect three = decided(knob_with({.spread = 0.01}, 3));
  EXPECT_EQ(three.recommendation, Recommendation::undecided);
  EXPECT_EQ(three.reason, "3 clean pairs: an interval needs at least 4");
  EXPECT_FALSE(three.ratio || three.shift);

  AblatedKnob denied = knob_with({.spread = 0.2});
  denied.knob.state = KnobState::denied;
  denied.knob.reason = "needs root";
  EXPECT_EQ(decided(denied).recommendation, Recommendation::undecided) << "its pairs do not differ in the knob";
  EXPECT_EQ(decided(denied).reason, "not measured: needs root");

  AblatedKnob failed = knob_with({}, 0);
  failed.failure = "killed by signal 9";
  EXPECT_EQ(decided(failed).reason, "not measured: killed by signal 9");

  AblatedKnob broken = knob_with({});
  broken.pairs[3].without.step_time_ns = 0;
  EXPECT_THAT(decided(broken).reason, HasSubstr("not a positive number"));
}

TEST(AblationVerdict, WithoutASpreadThereIsNoRatioButTheShiftCounts) {
  AblatedKnob still = knob_with({});
  for (AblationPair& pair : still.pairs) pair.with.step_time_ns = 1e6;
  const KnobEffect effect = decided(still);
  EXPECT_EQ(effect.recommendation, Recommendation::undecided);
  EXPECT_FALSE(effect.ratio);
  EXPECT_TRUE(effect.shift);
  for (AblationPair& pair : still.pairs) pair.with.step_time_ns = 1.2e6;
  EXPECT_EQ(decided(still).recommendation, Recommendation::avoid);
}

AblatedKnob recommended(const std::string& name, GuardMode mode, Recommendation recommendation) {
  AblatedKnob knob;
  knob.knob.name = name;
  knob.knob.mode = mode;
  knob.effect.shift = 0;
  knob.effect.recommendation = recommendation;
  return knob;
}

TEST(RecommendedOptions, NameWhatIsUsedAndWhatCostsNothing) {
  const AblatedKnob affinity = recommended("affinity", GuardMode::process, Recommendation::indifferent);
  const AblatedKnob priority = recommended("priority", GuardMode::process, Recommendation::avoid);
  const AblatedKnob governor = recommended("governor", GuardMode::host, Recommendation::use);
  const AblatedKnob turbo = recommended("turbo", GuardMode::host, Recommendation::indifferent);
  EXPECT_EQ(recommended_options({affinity, governor, turbo}), "--guard host --knobs governor")
      << "which leaves all knobs of a process on";
  EXPECT_EQ(recommended_options({affinity, priority, turbo}),
            "--guard process --knobs cpu_set,affinity,memory_policy,address_layout");
  EXPECT_EQ(recommended_options({priority, governor}),
            "--guard host --knobs cpu_set,affinity,memory_policy,address_layout,governor");
  EXPECT_EQ(recommended_options({affinity, turbo}), "") << "what process mode sets anyway";
  EXPECT_EQ(recommended_options({}), "");
}

TEST(RecommendedOptions, OmitWhatIsNotAKnobOfARun) {
  const AblatedKnob whole = recommended("process_mode", GuardMode::process, Recommendation::avoid);
  const AblatedKnob all = recommended("host_mode", GuardMode::host, Recommendation::use);
  const AblatedKnob tuned = recommended("malloc", GuardMode::process, Recommendation::avoid);
  EXPECT_EQ(recommended_options({whole, all}), "");
  EXPECT_EQ(recommended_options({whole, all, tuned}), "--malloc system");
}

TEST(RecommendedOptions, LeaveOutWhatWasNotMeasured) {
  AblatedKnob governor = recommended("governor", GuardMode::host, Recommendation::use);
  governor.effect.shift.reset();
  EXPECT_EQ(recommended_options({governor}), "");
}

TEST(AblationVerdict, JudgesAWholeAblation) {
  Ablation ablation;
  ablation.knobs = {knob_with({.spread = 0.2})};
  decide_ablation({.level = 0.9, .slower = 0.01, .factor = 1.5, .most_pairs = 1000}, ablation);
  EXPECT_EQ(ablation.level, 0.9);
  EXPECT_EQ(ablation.knobs[0].effect.recommendation, Recommendation::use);
  EXPECT_EQ(ablation.recommended, "--guard host --knobs governor");
}

}  // namespace
}  // namespace stepgate
