#include "diagnose/profile/advice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

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
  EXPECT_EQ(advice[0].evidence, "logging-off: without logging the step is 20.0 % [19.5 %, 20.5 %] shorter");
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

/// The advice whose text begins so; one of worth -1 where there is none.
Advice advice_on(const ProfileInput& input, std::string_view text) {
  for (Advice& each : profile_case(input).advice) {
    if (each.text.starts_with(text)) return std::move(each);
  }
  Advice none;
  none.worth = -1;
  return none;
}

TEST(Advice, IsProvenOnlyForTheMendThatItsExperimentTried) {
  SampleProfileInput input;  // 40 % of the step lie above the ridge
  input.ran(Experiment::doubled_threads, 0.65, Proof::proven);
  const Advice threads = profile_case(input).advice.front();
  EXPECT_EQ(threads.text, "2 threads instead of 1");
  EXPECT_EQ(threads.proof, Proof::proven);
  EXPECT_NEAR(threads.worth, 0.35, 1e-9);
  EXPECT_EQ(threads.evidence, "doubled-threads: the step is 35.0 % [34.5 %, 35.5 %] shorter");
  const Advice less = advice_on(input, "less arithmetic");
  EXPECT_EQ(less.proof, Proof::likely);
  EXPECT_NEAR(less.worth, 0.4, 1e-9);
  EXPECT_NE(less.evidence.find("40.0 % of the step is operators above the ridge"), std::string::npos) << less.evidence;
}

TEST(Advice, OfADelayIsLikelyAtBest) {
  SampleProfileInput input;
  input.run().absent["delayed-loader"] = std::string(too_fast_to_delay);
  input.ran(Experiment::bandwidth_thief, 0.1, Proof::proven);
  EXPECT_EQ(advice_on(input, "move fewer bytes").proof, Proof::likely);
  EXPECT_NEAR(advice_on(input, "move fewer bytes").worth, 0.2, 1e-9);
}

TEST(Advice, ALargerBatchIsProvenAndFusedOperatorsAreLikely) {
  SampleProfileInput input = bound_by_calls();
  input.ran(Experiment::doubled_batch, 1.4, Proof::proven, 0.01);
  const Advice larger = advice_on(input, "twice the batch");
  EXPECT_EQ(larger.proof, Proof::proven);
  EXPECT_NEAR(larger.worth, 0.3, 1e-9);
  EXPECT_EQ(larger.evidence, "doubled-batch: a sample takes 30.0 % [29.5 %, 30.5 %] less");
  const Advice fused = advice_on(input, "calls cost more than they compute");
  EXPECT_EQ(fused.proof, Proof::likely);
  EXPECT_NEAR(fused.worth, 0.26, 1e-6);
}

TEST(Advice, NamesHalfPrecisionOnlyWhereItIsFaster) {
  SampleProfileInput input;
  input.ran(Experiment::doubled_threads, 0.65, Proof::proven);
  EXPECT_EQ(advice_on(input, "less arithmetic").text.find("bf16"), std::string::npos) << "its rate is not known";
  input.run().peaks.flops_per_s["bfloat16"] = 1e8;
  EXPECT_EQ(advice_on(input, "less arithmetic").text.find("bf16"), std::string::npos) << "a tenth of float32";
  input.run().peaks.flops_per_s["bfloat16"] = 2e9;
  EXPECT_NE(advice_on(input, "less arithmetic").text.find("bf16"), std::string::npos);
}

TEST(Advice, WithoutAnExperimentSaysThatItWasObserved) {
  SampleProfileInput input;
  EXPECT_EQ(advice_on(input, "the loader is too slow").evidence, "observed: 10.0 % of the step waits for data");
}

TEST(Advice, OnCopiesOfACpuIsNotPinnedMemory) {
  SampleProfileInput input;
  input.takes(Boundary::h2d, 2'000'000);
  EXPECT_EQ(advice_on(input, "hand over fewer bytes").proof, Proof::likely);
  input.ran(Experiment::resident_batch, 0, Proof::refuted);
  for (const Advice& each : profile_case(input).advice) EXPECT_EQ(each.text.find("pinned"), std::string::npos);
}

TEST(Advice, NamesTheLineWhereMostOfItIs) {
  SampleProfileInput input;
  input.ran(Experiment::doubled_threads, 0.65, Proof::proven);
  const SourceFrame forward{"Net::forward", "net.cpp", 12};
  EXPECT_EQ(advice_on(input, "2 threads").at, forward);
  EXPECT_EQ(advice_on(input, "less arithmetic").at, forward);
  ObservedWork& work = *input.run().observed;
  work.places.push_back({{32}, {{"Data::next", "data.cpp", 7}}});
  work.sites[3].place = 1;  // aten::cat in data_wait
  EXPECT_EQ(advice_on(input, "the loader is too slow").at, (SourceFrame{"Data::next", "data.cpp", 7}));
  ExperimentResult& replay = input.ran(Experiment::operator_replay, 0.1, Proof::predicted);
  replay.remark = "aten::mm in forward: contiguous";
  EXPECT_EQ(advice_on(input, "aten::mm in forward").at, forward);
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
  OperatorSite outer = SampleProfileInput::site("forward", "aten::repeat", 16'000'000);
  outer.self_ns = 500'000;
  outer.inputs = {{.sizes = {1, 64}, .strides = {64, 1}, .dtype = "float32"}};
  OperatorSite between = SampleProfileInput::site("forward", "aten::tile", 15'000'000);
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
  EXPECT_NEAR(worth_of_repeat(input), 0.3, 1e-9) << "all of forward";
}

TEST(Advice, PatternsAreLookedForInTheFirstProcessThatObservedSteps) {
  SampleProfileInput input = with_repeat();
  Replicate silent = input.profile.replicates[0];
  silent.record->profile->observed.reset();
  input.profile.replicates.insert(input.profile.replicates.begin(), silent);
  EXPECT_NEAR(worth_of_repeat(input), 0.2, 1e-9);
}

/// The product of a step of 10 ms writes out 3 of them: 2 ms in forward, 1 ms for its gradient.
SampleProfileInput with_written_product() {
  SampleProfileInput input;
  const ObservedTensor full{.sizes = {64, 16, 64}, .strides = {1024, 64, 1}, .dtype = "float32"};
  ObservedTensor left = full;
  left.strides = {64, 0, 1};
  ObservedTensor right = full;
  right.strides = {0, 64, 1};
  OperatorSite product = SampleProfileInput::site("forward", "aten::mul", 8'000'000);
  product.inputs = {left, right};
  product.outputs = {full};
  product.place = 0;
  OperatorSite sum = SampleProfileInput::site("forward", "aten::sum", 8'000'000);
  sum.inputs = {full};
  sum.inputs[0].from = "aten::mul";
  sum.arguments = {"[-1]"};
  OperatorSite gradient = SampleProfileInput::site("backward", "aten::mul", 8'000'000);
  gradient.place = 0;
  gradient.for_forward = true;
  auto& sites = input.run().observed->sites;
  sites[1].place = std::nullopt;
  sites.insert(sites.end(), {product, sum, gradient});
  return input;
}

Advice advice_about(const ProfileInput& input, const std::string& name) {
  for (const Advice& each : profile_case(input).advice) {
    if (each.text.starts_with(name)) return each;
  }
  ADD_FAILURE() << "no advice about " << name;
  return {};
}

TEST(Advice, AWrittenProductIsWorthWhatItsReplayedMendSaves) {
  SampleProfileInput input = with_written_product();
  const Advice likely = advice_about(input, "expanded, multiplied and summed");
  EXPECT_EQ(likely.proof, Proof::likely);
  EXPECT_NEAR(likely.worth, 0.3, 1e-9);
  EXPECT_TRUE(likely.evidence.ends_with("at net.cpp:12")) << likely.evidence;
  input.run().products = {{.site = 4, .written_ns = 4'000'000, .product_ns = 1'000'000}};
  const Advice replayed = advice_about(input, "expanded, multiplied and summed");
  EXPECT_EQ(replayed.proof, Proof::predicted);
  EXPECT_NEAR(replayed.worth, 0.3 * 0.75, 1e-9);
  EXPECT_TRUE(replayed.evidence.ends_with("at net.cpp:12; replayed: 4.00 ms as written, 1.00 ms as one product"))
      << replayed.evidence;
  input.on_gpu(7'000'000);
  EXPECT_NEAR(advice_about(input, "expanded, multiplied and summed").worth, 0.3, 1e-9) << "3 of 10 ms, one call a step";
}

TEST(Advice, APatternAtSeveralLinesNamesThem) {
  SampleProfileInput input = with_repeat();
  ObservedWork& work = *input.run().observed;
  for (std::int64_t line = 20; line < 24; ++line) {
    work.places.push_back({.offsets = {}, .frames = {{"Net::forward", "net.cpp", line}}});
    OperatorSite repeat = work.sites.back();
    repeat.place = work.places.size() - 1;
    repeat.total_ns = (30 - line) * 100'000;
    work.sites.push_back(repeat);
  }
  const Advice advice = advice_about(input, "repeat() where expand() would do");
  EXPECT_TRUE(advice.evidence.ends_with("; also at net.cpp:20; also at net.cpp:21; and at 2 more")) << advice.evidence;
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
