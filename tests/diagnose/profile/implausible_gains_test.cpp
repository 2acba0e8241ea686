#include "diagnose/profile/implausible_gains.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnose/profile/profile_case.h"
#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

TEST(ImplausibleGains, AGainBeyondItsBoundaryIsNotProven) {
  SampleProfileInput input;  // the optimizer takes 10 % of the step
  input.ran(Experiment::optimizer_skipped, 0.165, Proof::proven);
  input.ran(Experiment::logging_off, 0.03, Proof::proven);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::proven) << "half as much again may be caches";
  input.experiments[0].interval = Interval{0.17, 0.20};
  input.experiments[0].more_processes = 3;
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.experiments[0].proof, Proof::undecided);
  EXPECT_FALSE(profile.experiments[0].more_processes);
  EXPECT_EQ(profile.experiments[0].remark,
            "contradicts the phase pass: it wins at least 17.0 %, but optimizer takes 10.0 % of the step; the blocks "
            "were disturbed");
  EXPECT_EQ(profile.experiments[1].proof, Proof::proven);
  EXPECT_NE(std::ranges::find(profile.bottlenecks, Bottleneck::optimizer, &BottleneckVerdict::kind)->proof,
            Proof::proven);
}

TEST(ImplausibleGains, AGainIsWorthAtMostItsBoundary) {
  SampleProfileInput input;  // the optimizer takes 10 % of the step
  input.ran(Experiment::optimizer_skipped, 0.14, Proof::proven);
  input.ran(Experiment::optimizer_fused, 0.12, Proof::proven);
  const Profile profile = profile_case(input);
  const auto kind = std::ranges::find(profile.bottlenecks, Bottleneck::optimizer, &BottleneckVerdict::kind);
  ASSERT_NE(kind, profile.bottlenecks.end());
  EXPECT_EQ(kind->proof, Proof::proven);
  EXPECT_NEAR(kind->worth, 0.1, 1e-9);
  EXPECT_NEAR(kind->interval.value().upper, 0.145 + rebuilt_bias, 1e-9);  // as shown
  EXPECT_EQ(kind->says,
            "without the optimizer the step is 14.0 % [13.5 %, 14.5 %] shorter; optimizer takes 10.0 % of it");
  for (const Advice& each : profile.advice) {
    if (each.evidence.starts_with("optimizer-fused")) {
      EXPECT_NEAR(each.worth, 0.1, 1e-9);
    }
  }
}

TEST(ImplausibleGains, ALoaderThatIsTooFastToLimitTheStepWinsNothing) {
  SampleProfileInput input;
  input.ran(Experiment::synthetic_batch, 0.05, Proof::proven);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::proven);
  input.run().absent["delayed-loader"] = std::string(too_fast_to_delay);
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.experiments[0].proof, Proof::undecided);
  EXPECT_EQ(profile.experiments[0].remark,
            "contradicts the loader: a batch comes within 20 us: too fast to be delayed; the blocks were "
            "disturbed");
  const auto kind = std::ranges::find(profile.bottlenecks, Bottleneck::input, &BottleneckVerdict::kind);
  ASSERT_NE(kind, profile.bottlenecks.end());
  EXPECT_EQ(kind->proof, Proof::refuted);
  EXPECT_EQ(kind->says, "a batch comes within 20 us: loading cannot limit this step");
}

TEST(ImplausibleGains, OfAShortStepTwentyMicrosecondsMayBeALargePart) {
  SampleProfileInput input;
  for (Replicate& replicate : input.timed.replicates) {
    for (StepSample& step : replicate.record->timed["e2e"].steps) {
      step = {.wall_ns = 60'000};
      step.host_ns[static_cast<std::size_t>(Boundary::data_wait)] = 19'000;
    }
  }
  input.run().absent["delayed-loader"] = std::string(too_fast_to_delay);
  input.ran(Experiment::synthetic_batch, 0.3, Proof::proven);
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.experiments[0].proof, Proof::proven) << profile.experiments[0].remark;
  EXPECT_EQ(std::ranges::find(profile.bottlenecks, Bottleneck::input, &BottleneckVerdict::kind)->proof, Proof::likely);
}

TEST(ImplausibleGains, BesideAFastLoaderTheCopyMayWin) {
  SampleProfileInput input;
  input.on_gpu(9'000'000);
  input.run().absent["delayed-loader"] = std::string(too_fast_to_delay);
  input.ran(Experiment::synthetic_batch, 0.2, Proof::proven);
  input.ran(Experiment::resident_batch, 0.2, Proof::proven);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::proven) << profile_case(input).experiments[0].remark;
}

TEST(ImplausibleGains, WithoutAPhasePassNothingIsExcluded) {
  SampleProfileInput input;
  for (Replicate& replicate : input.timed.replicates) replicate.record->timed.erase("phase");
  input.ran(Experiment::optimizer_skipped, 0.4, Proof::proven);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::proven);
}

TEST(ImplausibleGains, WhatIsDoubtedIsNotRefutedByTheSameShare) {
  SampleProfileInput input;
  input.counts().per_step["held_graphs_per_step"] = {0, 0};
  input.spends_on(Boundary::logging, 50'000);
  input.ran(Experiment::logging_off, 0.2, Proof::proven);
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.experiments[0].proof, Proof::undecided) << profile.experiments[0].remark;
}

const BottleneckVerdict& kind_verdict(const Profile& profile, Bottleneck kind) {
  return *std::ranges::find(profile.bottlenecks, kind, &BottleneckVerdict::kind);
}

TEST(SmallBoundaries, AreRefutedWhateverTheNoise) {
  SampleProfileInput input;
  input.counts().per_step["held_graphs_per_step"] = {0, 0};
  input.spends_on(Boundary::logging, 50'000);  // 0.5 % of the step
  ExperimentResult& off = input.ran(Experiment::logging_off, 0.1, Proof::undecided, 0.4);
  off.more_processes = 40;
  input.ran(Experiment::optimizer_skipped, 0.1, Proof::undecided, 0.4);
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.experiments[0].proof, Proof::refuted);
  EXPECT_FALSE(profile.experiments[0].more_processes);
  EXPECT_EQ(profile.experiments[0].remark, "logging takes 0.5 % of the step, so removing it wins less than 1.0 %");
  EXPECT_EQ(kind_verdict(profile, Bottleneck::logging).proof, Proof::refuted);
  EXPECT_TRUE(kind_verdict(profile, Bottleneck::logging).says.ends_with(profile.experiments[0].remark));
  EXPECT_EQ(profile.experiments[1].proof, Proof::undecided) << "10 % of the step";
}

TEST(SmallBoundaries, LoggingThatHoldsGraphsCostsMoreThanItsOwnTime) {
  SampleProfileInput input;
  input.spends_on(Boundary::logging, 50'000);
  input.ran(Experiment::logging_off, 0.1, Proof::undecided, 0.4);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::undecided) << "held graphs were not counted";
  input.counts().per_step["held_graphs_per_step"] = {10, 10};
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::undecided);
}

TEST(SmallBoundaries, OfTwoThirdsOfTheMarginAreTheLargest) {
  SampleProfileInput input;
  input.counts().per_step["held_graphs_per_step"] = {0, 0};
  input.spends_on(Boundary::logging, 70'000);
  input.ran(Experiment::logging_off, 0.1, Proof::undecided, 0.4);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::undecided) << "0.7 %, and half as much again for caches";
}

TEST(SmallBoundaries, OfADeviceSayNothing) {
  SampleProfileInput input;
  input.on_gpu(9'000'000);
  input.counts().per_step["held_graphs_per_step"] = {0, 0};
  input.spends_on(Boundary::logging, 10'000);
  input.ran(Experiment::logging_off, 0.1, Proof::undecided, 0.4);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::undecided) << "the host does not wait for its kernels";
}

TEST(SmallBoundaries, ALoaderIsSmallWhereABatchLoadsFastOnAllItsCpus) {
  SampleProfileInput input;
  input.loads_alone(30'000);
  input.ran(Experiment::synthetic_batch, 0.1, Proof::undecided, 0.4);
  const Profile profile = profile_case(input);
  EXPECT_EQ(kind_verdict(profile, Bottleneck::input).proof, Proof::refuted);
  EXPECT_EQ(kind_verdict(profile, Bottleneck::input).says,
            "loading a batch takes 0.3 % of the step, so removing it wins less than 1.0 %");
  input.timed.plan.cpus = 4;
  EXPECT_EQ(kind_verdict(profile_case(input), Bottleneck::input).proof, Proof::undecided) << "four workers at once";
  input.timed.plan.cpus = 1;
  input.ran(Experiment::delayed_loader, 1, Proof::proven);
  EXPECT_NE(kind_verdict(profile_case(input), Bottleneck::input).proof, Proof::refuted) << "its delay reaches the step";
}

}  // namespace
}  // namespace stepgate
