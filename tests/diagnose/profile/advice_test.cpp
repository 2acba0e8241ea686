#include "diagnose/profile/advice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

TEST(Advice, IsRankedByProofThenWorthAndEndsWithWhatWasRefuted) {
  SampleProfileInput input;
  input.ran(Experiment::synthetic_batch, 0.001, Proof::refuted);
  input.ran(Experiment::delayed_loader, 0, Proof::refuted);
  input.ran(Experiment::optimizer_fused, 0.059, Proof::proven);
  input.spends_on(Boundary::logging, 2'000'000);
  input.ran(Experiment::logging_off, 0.2, Proof::proven);
  input.ran(Experiment::optimizer_skipped, 0.08, Proof::proven);
  const auto advice = profile_case(input).advice;
  ASSERT_GE(advice.size(), 4U);
  EXPECT_DOUBLE_EQ(advice[0].worth, 0.2);
  EXPECT_EQ(advice[0].evidence, "without logging the step is 20.0 % [19.5 %, 20.5 %] shorter");
  for (std::size_t i = 1; i < advice.size(); ++i) {
    EXPECT_GE(rank_of(advice[i].proof), rank_of(advice[i - 1].proof));
    if (advice[i].proof == advice[i - 1].proof) {
      EXPECT_LE(advice[i].worth, advice[i - 1].worth);
    }
  }
  EXPECT_EQ(advice.back().proof, Proof::refuted);
  EXPECT_EQ(advice.back().text, "more loader workers, a faster loader");
  EXPECT_EQ(advice.back().worth, 0);
}

TEST(Advice, AnUndecidedEightyPercentStandBelowAProvenThirty) {
  SampleProfileInput input;
  input.ran(Experiment::doubled_threads, 0.2, Proof::undecided, 0.8);
  input.spends_on(Boundary::logging, 3'000'000);
  input.ran(Experiment::logging_off, 0.3, Proof::proven);
  const auto advice = profile_case(input).advice;
  ASSERT_GE(advice.size(), 2U);
  EXPECT_NEAR(advice[0].worth, 0.3, 1e-9);
  EXPECT_EQ(advice[0].proof, Proof::proven);
  EXPECT_TRUE(std::ranges::any_of(advice, [](const Advice& each) { return each.worth > 0.7; }));
}

/// The worth of advice about repeat(); 0 without.
double worth_of_repeat(const ProfileInput& input) {
  for (const Advice& each : profile_case(input).advice) {
    if (each.text.starts_with("repeat() where expand() would do")) return each.worth;
  }
  return 0;
}

/// A repeat() that takes 16 of 80 ms with the operators that it calls, one of them a match too.
SampleProfileInput with_repeat() {
  SampleProfileInput input;
  OperatorSite outer = SampleProfileInput::site("forward", "aten::repeat", 8'000'000);
  outer.self_ns = 500'000;
  outer.inputs = {{.sizes = {1, 64}, .strides = {64, 1}, .dtype = "float32"}};
  OperatorSite between = SampleProfileInput::site("forward", "aten::tile", 7'500'000);
  between.parent = "aten::repeat";
  OperatorSite inner = outer;
  inner.parent = "aten::tile";
  inner.total_ns = 6'000'000;
  for (const OperatorSite& site : {inner, between, outer}) input.run().observed->sites.push_back(site);
  return input;
}

TEST(Advice, APatternIsWorthWhatItsOperatorsTakeWithAllThatTheyCall) {
  SampleProfileInput input = with_repeat();
  EXPECT_NEAR(worth_of_repeat(input), 0.2, 1e-9);
  input.run().observed->sites.back().total_ns = 200'000'000;
  EXPECT_EQ(worth_of_repeat(input), 1);
}

TEST(Advice, PatternsAreLookedForInTheFirstProcessThatObservedSteps) {
  SampleProfileInput input = with_repeat();
  Replicate silent = input.profile.replicates[0];
  silent.record->profile->observed.reset();
  input.profile.replicates.insert(input.profile.replicates.begin(), silent);
  EXPECT_NEAR(worth_of_repeat(input), 0.2, 1e-9);
}

TEST(Advice, OfTf32IsNotGivenWhereItIsOn) {
  Profile profile;
  profile.device = Device::cuda;
  ProfileRun run = SampleProfileInput::profile_run();
  OperatorSite& product = run.observed->sites[1];
  product.inputs = {product.outputs.front(), product.outputs.front()};
  const auto is_given = [&](bool tf32) {
    return std::ranges::any_of(advice_for({profile, &run, 0.01, tf32}), [](const Advice& each) {
      return each.text.starts_with("float32 products without TF32");
    });
  };
  EXPECT_TRUE(is_given(false));
  EXPECT_FALSE(is_given(true));
}

TEST(Advice, NamesTheOptimizersShareOfTheCalls) {
  SampleProfileInput input;
  input.ran(Experiment::optimizer_fused, 0.059, Proof::proven);
  for (const Advice& each : profile_case(input).advice) {
    if (each.evidence.starts_with("optimizer-fused")) {
      EXPECT_EQ(each.text, "2 000 of 2 002 operators are the optimizer: one fused update, at::_fused_adamw_");
      EXPECT_EQ(each.evidence, "optimizer-fused: 5.9 % [5.4 %, 6.4 %]");
      return;
    }
  }
  FAIL() << "no advice about the optimizer";
}

TEST(Advice, NamesTheFusedUpdateOfTheOptimizerThatRan) {
  SampleProfileInput input;
  input.ran(Experiment::optimizer_fused, 0.059, Proof::proven);
  OperatorSite& update = input.run().observed->sites[2];
  update.name = "aten::add_";
  EXPECT_TRUE(profile_case(input).advice.front().text.ends_with("one fused update, at::_fused_sgd_"));
  OperatorSite divided = update;
  divided.name = "aten::addcdiv_";
  input.run().observed->sites.push_back(divided);
  EXPECT_TRUE(profile_case(input).advice.front().text.ends_with("one fused update, at::_fused_adamw_"));
}

TEST(Advice, WhatWinsLessThanTheMarginIsNotAdvised) {
  SampleProfileInput input;
  input.ran(Experiment::logging_off, 0.005, Proof::undecided);
  for (const Advice& each : profile_case(input).advice) EXPECT_GE(each.worth, 0.01) << each.text;
}

}  // namespace
}  // namespace stepgate
