#include "diagnose/profile/bottleneck_kind.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnose/profile/sample_profile_input.h"
#include "diagnose/profile/step/account.h"

namespace stepgate {
namespace {

BottleneckVerdict verdict_on(const ProfileInput& input, Bottleneck kind) {
  const Profile profile = profile_case(input);
  const auto at = std::ranges::find_if(profile.bottlenecks, [&](const auto& each) { return each.kind == kind; });
  if (at != profile.bottlenecks.end()) return *at;
  ADD_FAILURE() << "no verdict: " << profile.absent.at("bottleneck " + std::string(name_of(kind)));
  return {};
}

std::string why_absent(const ProfileInput& input, Bottleneck kind) {
  const auto absent = profile_case(input).absent;
  const auto at = absent.find("bottleneck " + std::string(name_of(kind)));
  return at == absent.end() ? "" : at->second;
}

SampleProfileInput with_loader(double gain, Proof won, double criticality, Proof critical) {
  SampleProfileInput input;
  input.ran(Experiment::synthetic_batch, gain, won);
  input.ran(Experiment::delayed_loader, criticality, critical, 0.05);
  return input;
}

TEST(BottleneckKind, InputIsProvenByGainAndCriticality) {
  const auto verdict = verdict_on(with_loader(0.33, Proof::proven, 0.97, Proof::proven), Bottleneck::input);
  EXPECT_EQ(verdict.proof, Proof::proven);
  EXPECT_DOUBLE_EQ(verdict.worth, 0.33);
  EXPECT_EQ(
      verdict.says,
      "without the loader the step is 33.0 % [32.5 %, 33.5 %] shorter; 0.97 [0.92, 1.02] of a delay of the loader "
      "reaches it");
}

TEST(BottleneckKind, ACriticalLoaderThatWinsNothingIsBalanced) {
  const auto verdict = verdict_on(with_loader(0.001, Proof::refuted, 0.9, Proof::proven), Bottleneck::input);
  EXPECT_EQ(verdict.proof, Proof::refuted);
  EXPECT_EQ(verdict.worth, 0);
  EXPECT_TRUE(
      verdict.says.starts_with("balanced: input is critical, but something else takes over at once: compute at roof."))
      << verdict.says;
}

TEST(BottleneckKind, ALoaderThatNeitherWinsNorCostsIsHidden) {
  const auto verdict = verdict_on(with_loader(0.001, Proof::refuted, 0.0, Proof::refuted), Bottleneck::input);
  EXPECT_EQ(verdict.proof, Proof::refuted);
  EXPECT_TRUE(verdict.says.starts_with("hidden: ")) << verdict.says;
}

TEST(BottleneckKind, AGainWithoutCriticalityIsAContradictionAndProvesNothing) {
  const auto verdict = verdict_on(with_loader(0.33, Proof::undecided, 0.0, Proof::refuted), Bottleneck::input);
  EXPECT_EQ(verdict.proof, Proof::undecided);
  EXPECT_EQ(verdict.worth, 0);
  EXPECT_TRUE(verdict.says.starts_with("contradiction")) << verdict.says;
}

TEST(BottleneckKind, TheGainOfTheCopyIsNotThatOfTheLoader) {
  SampleProfileInput input = with_loader(0.2, Proof::proven, 0.0, Proof::refuted);
  input.on_gpu(9'000'000);
  input.ran(Experiment::resident_batch, 0.2, Proof::proven, 0.001);
  EXPECT_EQ(verdict_on(input, Bottleneck::input).proof, Proof::refuted);
  EXPECT_EQ(verdict_on(input, Bottleneck::copy).proof, Proof::proven);
  input.experiments[1].proof = Proof::proven;  // the loader is critical: without the copy it takes over
  EXPECT_EQ(verdict_on(input, Bottleneck::copy).proof, Proof::undecided);
}

TEST(BottleneckKind, WithoutExperimentsTheAccountMakesAKindLikelyAtMost) {
  SampleProfileInput input;
  const auto verdict = verdict_on(input, Bottleneck::input);
  EXPECT_EQ(verdict.proof, Proof::likely);
  EXPECT_NEAR(verdict.worth, 0.1, 1e-9);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::likely);  // 10 % of calls
  EXPECT_TRUE(why_absent(input, Bottleneck::optimizer).starts_with("10.0 % of the step, below the 10.0 %"));
  EXPECT_EQ(why_absent(input, Bottleneck::sync),
            "a CPU has computed when a call returns: there is nothing to wait for");
  EXPECT_EQ(why_absent(input, Bottleneck::communication), "one rank exchanges nothing");
  for (const BottleneckVerdict& each : profile_case(input).bottlenecks) EXPECT_NE(each.proof, Proof::proven);
}

TEST(BottleneckKind, WhatTheExchangeCostsIsProvenWithoutIt) {
  SampleProfileInput input;
  input.ran(Experiment::exchange_off, 0.12, Proof::proven);
  const auto verdict = verdict_on(input, Bottleneck::communication);
  EXPECT_EQ(verdict.proof, Proof::proven);
  EXPECT_NEAR(verdict.worth, 0.12, 1e-9);
  EXPECT_TRUE(verdict.says.starts_with("without the exchange of gradients the step is")) << verdict.says;
}

TEST(BottleneckKind, AFixedCostIsLaunchOnlyBeyondWhatTheOptimizerCanExplain) {
  SampleProfileInput input;
  input.ran(Experiment::doubled_batch, 1.6, Proof::proven);  // 40 % fixed; 20 % lie below the ridge, 10 % are calls
  input.ran(Experiment::optimizer_skipped, 0.05, Proof::proven);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::proven);
  input.experiments[1].interval = Interval{0.1, 0.2};
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::undecided);
  input.experiments[0].interval = Interval{1.995, 2.01};
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::refuted);
}

TEST(BottleneckKind, LaunchOnACpuWinsAtMostWhatOperatorsTakeBeyondTheirWork) {
  SampleProfileInput input;
  input.ran(Experiment::doubled_batch, 1.2, Proof::proven);  // 80 % fixed, 30 % of it optimizer and reading
  EXPECT_NEAR(verdict_on(input, Bottleneck::launch).worth, 0.1002 + 0.1998, 1e-6);  // dispatch, below the roof
}

TEST(BottleneckKind, AnIdleDeviceWithoutSyncsAndWithDataIsLaunch) {
  SampleProfileInput input = with_loader(0, Proof::refuted, 0, Proof::refuted);
  input.on_gpu(6'000'000);
  input.counts().per_step["host_syncs_per_step"] = {0, 0};
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::proven);
  EXPECT_EQ(verdict_on(input, Bottleneck::sync).proof, Proof::refuted);
  input.experiments[1].proof = Proof::proven;  // the loader would take over
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::undecided);
}

TEST(BottleneckKind, TwiceTheBatchTellsSyncFromLaunch) {
  SampleProfileInput input = with_loader(0, Proof::refuted, 0, Proof::refuted);
  input.on_gpu(6'000'000);  // 40 % idle
  input.counts().per_step["host_syncs_per_step"] = {1, 1};
  EXPECT_EQ(verdict_on(input, Bottleneck::sync).proof, Proof::undecided);
  ExperimentResult& doubled = input.ran(Experiment::doubled_batch, 1.6, Proof::proven);
  EXPECT_EQ(verdict_on(input, Bottleneck::sync).proof, Proof::proven);  // fixed 40 %: they take turns
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::refuted);
  doubled.interval = Interval{1.19, 1.21};  // fixed 80 %: the batch fills the idle time first
  EXPECT_EQ(verdict_on(input, Bottleneck::sync).proof, Proof::refuted);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::proven);
  doubled.interval = Interval{1.35, 1.45};
  EXPECT_EQ(verdict_on(input, Bottleneck::sync).proof, Proof::undecided);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::undecided);
}

TEST(BottleneckKind, ComputeIsProvenOnlyBeyondWhatBandwidthAndLoaderCanGain) {
  SampleProfileInput input;  // 20 % below the ridge, 10 % wait for data: they explain 20 %
  ExperimentResult& threads = input.ran(Experiment::doubled_threads, 0.75, Proof::proven);
  EXPECT_EQ(verdict_on(input, Bottleneck::compute).proof, Proof::proven);
  EXPECT_NEAR(verdict_on(input, Bottleneck::compute).worth, 0.4, 1e-9);  // above the ridge
  threads.effect = 0.4;
  EXPECT_NEAR(verdict_on(input, Bottleneck::compute).worth, 0.6, 1e-9);  // what the account does not see counts too
  threads.interval = Interval{0.78, 0.84};
  EXPECT_EQ(verdict_on(input, Bottleneck::compute).proof, Proof::undecided);
  threads.interval = Interval{0.995, 1.01};
  EXPECT_EQ(verdict_on(input, Bottleneck::compute).proof, Proof::refuted);
}

TEST(BottleneckKind, AThiefProvesBandwidthOnlyWhereNothingTakesOverAndTheAccountHasIt) {
  SampleProfileInput input = with_loader(0, Proof::refuted, 0, Proof::refuted);
  input.ran(Experiment::bandwidth_thief, 0.1, Proof::proven);  // 20 % of the step lie below the ridge
  EXPECT_EQ(verdict_on(input, Bottleneck::bandwidth).proof, Proof::proven);
  input.experiments[1].proof = Proof::proven;
  EXPECT_EQ(verdict_on(input, Bottleneck::bandwidth).proof, Proof::undecided);
  input.experiments[1].proof = Proof::refuted;
  input.experiments[2].interval = Interval{0.25, 0.3};
  EXPECT_EQ(verdict_on(input, Bottleneck::bandwidth).proof, Proof::undecided);
}

TEST(BottleneckKind, WhatIsProvenStandsAboveALargerWorthThatIsUndecided) {
  SampleProfileInput input = with_loader(0.3, Proof::proven, 0.97, Proof::proven);
  input.ran(Experiment::doubled_threads, 0.81, Proof::undecided, 0.03);  // of 40 % above the ridge
  const Profile profile = profile_case(input);
  ASSERT_GT(verdict_on(input, Bottleneck::compute).worth, 0.3);
  ASSERT_EQ(verdict_on(input, Bottleneck::compute).proof, Proof::undecided);
  EXPECT_EQ(profile.bottlenecks.front().kind, Bottleneck::input);
}

TEST(BottleneckKind, ALargeOperatorFarBelowItsRoofIsNamed) {
  SampleProfileInput input;
  input.product().flops /= 3;
  const auto verdict = verdict_on(input, Bottleneck::operators);
  EXPECT_EQ(verdict.proof, Proof::likely);
  EXPECT_EQ(verdict.says, "aten::mm in forward takes 40.0 % of the step at 25.0 % of its roof");
  EXPECT_NEAR(verdict.worth, 0.2999, 1e-4);
}

TEST(BottleneckKind, ALossIsNoNegativeGain) {
  SampleProfileInput input;
  input.ran(Experiment::optimizer_skipped, -0.16, Proof::undecided, 0.2);
  input.ran(Experiment::doubled_threads, 1.05, Proof::undecided, 0.2);
  input.ran(Experiment::bandwidth_thief, -0.02, Proof::undecided, 0.1);
  input.ran(Experiment::doubled_batch, 3.85, Proof::undecided, 2);
  EXPECT_EQ(verdict_on(input, Bottleneck::optimizer).says,
            "without the optimizer the step is 16.0 % [-4.0 %, 36.0 %] longer");
  EXPECT_TRUE(verdict_on(input, Bottleneck::launch)
                  .says.starts_with("twice the batch takes 3.85 [1.85, 5.85] times as long, so all of the step grows"))
      << verdict_on(input, Bottleneck::launch).says;
  EXPECT_TRUE(verdict_on(input, Bottleneck::compute)
                  .says.starts_with("twice the threads make the step 5.0 % [-15.0 %, 25.0 %] longer; "));
  EXPECT_TRUE(verdict_on(input, Bottleneck::bandwidth)
                  .says.starts_with("a thief of bandwidth makes the step 2.0 % [-8.0 %, 12.0 %] shorter; "));
}

/// As with --prove off: what is not measured is no roof of 0.
TEST(BottleneckKind, WithoutPeaksNothingIsSaidAboutRoofs) {
  SampleProfileInput input;
  input.product().self_ns = input.product().total_ns = 28'000'000;  // 70 % of the step
  input.run().peaks = {};
  const Profile profile = profile_case(input);
  for (const char* kind : {"compute", "bandwidth", "operators", "launch"}) {
    EXPECT_EQ(profile.absent.at(std::string("bottleneck ") + kind),
              "no process measured the peaks of this machine, and no experiment ran");
  }
  EXPECT_TRUE(profile.absent.contains("roofs"));
  EXPECT_DOUBLE_EQ(share_of_part(profile.account, "below-roof"), 0);
  EXPECT_GT(share_of_part(profile.account, "operators"), 0.8);
  for (const ChecklistEntry& entry : profile.checklist) {
    if (entry.list == "points" && entry.id == "8") {
      EXPECT_EQ(entry.answer, Answer::unknown);
    }
  }
}

}  // namespace
}  // namespace stepgate
