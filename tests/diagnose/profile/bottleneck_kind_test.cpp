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
  ASSERT_TRUE(verdict.interval);
  EXPECT_NEAR(verdict.interval->lower, 0.325 - rebuilt_bias, 1e-9);
  EXPECT_NEAR(verdict.interval->upper, 0.335 + rebuilt_bias, 1e-9);
  EXPECT_EQ(
      verdict.says,
      "without the loader the step is 33.0 % [32.5 %, 33.5 %] shorter; 0.97 [0.92, 1.02] of a delay of the loader "
      "reaches it");
}

/// What may lie elsewhere in a rebuilt program makes no proven gain a loss, and no gain of nothing certain.
TEST(BottleneckKind, WhatAMendWinsIsLessCertainThanWhatItsExperimentShowed) {
  EXPECT_NEAR(gain_of_mend({0.20, 0.22}).lower, 0.19, 1e-12);
  EXPECT_NEAR(gain_of_mend({0.20, 0.22}).upper, 0.23, 1e-12);
  EXPECT_EQ(gain_of_mend({0.005, 0.01}).lower, 0);
  EXPECT_EQ(gain_of_mend({-0.02, 0.01}).lower, -0.02);
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

/// Without copies the step may be anything from 8 % shorter to 8 % longer, but copies take 0.5 % of it.
TEST(BottleneckKind, TheNoiseOfACopyThatTakesLittleOfACpusStepIsNotThatOfTheLoader) {
  SampleProfileInput input = with_loader(0.2, Proof::proven, 0.97, Proof::proven);
  input.spends_on(Boundary::h2d, 50'000);
  input.ran(Experiment::resident_batch, 0.0, Proof::refuted, 0.08);
  const auto verdict = verdict_on(input, Bottleneck::input);
  EXPECT_EQ(verdict.proof, Proof::proven);
  EXPECT_NEAR(verdict.interval.value().lower, 1 - 0.805 / 0.9925 - rebuilt_bias, 1e-9);
  EXPECT_NEAR(verdict.interval.value().upper, 0.205 + rebuilt_bias, 1e-9);
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

TEST(BottleneckKind, AFixedCostIsLaunchOnlyBeyondWhatEverythingElseCanExplain) {
  SampleProfileInput input = bound_by_calls();
  input.ran(Experiment::doubled_batch, 1.4, Proof::proven);  // 60 % fixed, 34 % of the step is something else
  const auto verdict = verdict_on(input, Bottleneck::launch);
  EXPECT_EQ(verdict.proof, Proof::proven);
  EXPECT_NEAR(verdict.worth, 0.26, 1e-6);
  ASSERT_TRUE(verdict.interval);
  EXPECT_NEAR(verdict.interval->lower, 0.255, 1e-6);
  EXPECT_EQ(verdict.says,
            "60.0 % [59.5 %, 60.5 %] of the step does not grow with the batch; of it at most data wait 10.0 %, the "
            "optimizer 10.0 %, host code between operators 7.0 %, operators that cost more than their calls 5.0 %, "
            "logging 2.0 %; calls 26.0 % [25.5 %, 60.5 %]");
  input.experiments[0].interval = Interval{1.58, 1.68};
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::undecided);
  EXPECT_FALSE(verdict_on(input, Bottleneck::launch).interval);
  input.experiments[0].interval = Interval{1.995, 2.01};
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::refuted);
}

TEST(BottleneckKind, AFixedCostOfEachBoundaryIsNotLaunch) {
  for (const Boundary boundary : {Boundary::data_wait, Boundary::h2d, Boundary::optimizer, Boundary::logging,
                                  Boundary::forward, Boundary::backward}) {
    SampleProfileInput input = bound_by_calls();
    input.ran(Experiment::doubled_batch, 1.4, Proof::proven);
    input.takes(boundary, 8'000'000);
    const auto verdict = verdict_on(input, Bottleneck::launch);
    EXPECT_EQ(verdict.proof, Proof::undecided) << name_of(boundary) << ": " << verdict.says;
  }
}

TEST(BottleneckKind, ABoundaryThatGrowsWithTheBatchIsNotTakenOff) {
  SampleProfileInput input = bound_by_calls();
  input.ran(Experiment::doubled_batch, 1.4, Proof::proven);
  input.takes(Boundary::data_wait, 4'000'000);
  const auto verdict = verdict_on(input, Bottleneck::launch);
  EXPECT_EQ(verdict.proof, Proof::undecided);
  EXPECT_NE(verdict.says.find("; of it at most data wait 40.0 %, "), std::string::npos) << verdict.says;
  input.doubled_batch = input.timed;
  SampleProfileInput::takes(Boundary::data_wait, 8'000'000, *input.doubled_batch);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::proven);
}

TEST(BottleneckKind, CheaperCallsWinAtMostUntilTheLoaderSetsThePace) {
  SampleProfileInput input = bound_by_calls();
  input.ran(Experiment::doubled_batch, 1.4, Proof::proven);
  input.loads_alone(8'500'000);
  EXPECT_NEAR(verdict_on(input, Bottleneck::launch).worth, 0.15, 1e-9);
  input.loads_alone(9'950'000);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::undecided);
}

TEST(BottleneckKind, ALoaderOnTheThreadOfTheStepCannotTakeOver) {
  SampleProfileInput input = bound_by_calls();
  input.ran(Experiment::doubled_batch, 1.4, Proof::proven);
  input.ran(Experiment::delayed_loader, 1, Proof::proven);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::undecided) << "a batch was never loaded alone";
  input.loads_alone(1'000'000);  // and the step waits for 1 ms
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::proven);
}

TEST(BottleneckKind, ALoaderThatIsTooFastToLeadKeepsNothingFromBeingProven) {
  SampleProfileInput input;
  input.run().absent["delayed-loader"] = std::string(too_fast_to_delay);
  input.ran(Experiment::bandwidth_thief, 0.08, Proof::proven);
  EXPECT_EQ(verdict_on(input, Bottleneck::bandwidth).proof, Proof::proven);
  input.on_gpu(6'000'000);
  input.ran(Experiment::resident_batch, 0.2, Proof::proven);
  input.counts().per_step["host_syncs_per_step"] = {0, 0};
  EXPECT_EQ(verdict_on(input, Bottleneck::copy).proof, Proof::proven);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::proven);
}

TEST(BottleneckKind, OnADeviceHostTimeOfBoundariesIsNotLaunch) {
  SampleProfileInput input = with_loader(0, Proof::refuted, 0, Proof::refuted);
  input.on_gpu(6'000'000);  // 40 % idle, 37 % of the step the host does something else than calls
  input.counts().per_step["host_syncs_per_step"] = {0, 0};
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::proven);
  EXPECT_NEAR(verdict_on(input, Bottleneck::launch).worth, 0.03, 1e-9);
  input.takes(Boundary::logging, 600'000);
  EXPECT_EQ(verdict_on(input, Bottleneck::launch).proof, Proof::undecided);
}

/// What is hidden in all steps of a block but the first one.
TEST(BottleneckKind, OnADeviceFillingTheQueueAfterABlockIsNoGain) {
  SampleProfileInput input = with_loader(0, Proof::refuted, 0, Proof::refuted);
  input.on_gpu(9'000'000);
  input.takes(Boundary::h2d, 5'000'000);
  input.run().blocks = {{.variant = "baseline", .wall_ns = 200'000'000, .steps = 20}};
  ExperimentResult& copy = input.ran(Experiment::resident_batch, 0.1, Proof::proven);
  EXPECT_NEAR(verdict_on(input, Bottleneck::copy).worth, 0.075, 1e-9);
  copy.effect = 0.03;
  copy.interval = Interval{0.02, 0.04};
  EXPECT_EQ(verdict_on(input, Bottleneck::copy).proof, Proof::undecided);
  EXPECT_NE(verdict_on(input, Bottleneck::copy).says.find("filling the queue after a block 2.5 %"), std::string::npos);
}

TEST(BottleneckKind, WithoutAnExperimentTheCopyIsTakenOffTheLoader) {
  SampleProfileInput input = with_loader(0.33, Proof::proven, 0.97, Proof::proven);
  input.takes(Boundary::h2d, 2'000'000);
  EXPECT_NEAR(verdict_on(input, Bottleneck::input).worth, 0.13, 1e-9);
  const auto copy = verdict_on(input, Bottleneck::copy);
  EXPECT_EQ(copy.proof, Proof::likely);
  EXPECT_EQ(copy.says, "handing the batch over takes 20.0 % of the step");
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

TEST(BottleneckKind, ComputeIsProvenOnlyBeyondWhatEverythingElseCanGain) {
  SampleProfileInput input;  // half of 20 % below the ridge, of 10 % optimizer and 2 % logging, and 10 % wait: 26 %
  ExperimentResult& threads = input.ran(Experiment::doubled_threads, 0.65, Proof::proven);
  const auto verdict = verdict_on(input, Bottleneck::compute);
  EXPECT_EQ(verdict.proof, Proof::proven);
  EXPECT_NEAR(verdict.worth, 0.09, 1e-9) << "what was shown and nothing else explains, not the 40 % above the ridge";
  ASSERT_TRUE(verdict.interval);
  EXPECT_NEAR(verdict.interval->lower, 0.085, 1e-9);
  EXPECT_NEAR(verdict.interval->upper, 0.355, 1e-9);
  threads.interval = Interval{0.74, 0.80};
  EXPECT_EQ(verdict_on(input, Bottleneck::compute).proof, Proof::undecided);
  threads.interval = Interval{0.995, 1.01};
  EXPECT_EQ(verdict_on(input, Bottleneck::compute).proof, Proof::refuted);
}

TEST(BottleneckKind, AThiefProvesBandwidthOnlyWhereNothingTakesOverAndTheAccountHasIt) {
  SampleProfileInput input = with_loader(0, Proof::refuted, 0, Proof::refuted);
  input.ran(Experiment::bandwidth_thief, 0.08, Proof::proven, 0.03);  // operators of 20 % move bytes for 10 %
  EXPECT_EQ(verdict_on(input, Bottleneck::bandwidth).proof, Proof::proven);
  EXPECT_NEAR(verdict_on(input, Bottleneck::bandwidth).worth, 0.08, 1e-9) << "what the thief showed";
  EXPECT_NEAR(verdict_on(input, Bottleneck::bandwidth).interval->lower, 0.05, 1e-9);
  EXPECT_NEAR(verdict_on(input, Bottleneck::bandwidth).interval->upper, 0.10, 1e-9) << "no more than all bytes";
  input.experiments[1].proof = Proof::proven;
  EXPECT_EQ(verdict_on(input, Bottleneck::bandwidth).proof, Proof::undecided);
  input.experiments[1].proof = Proof::refuted;
  input.experiments[2].effect = 0.12;
  input.experiments[2].interval = Interval{0.02, 0.22};
  const auto more_than_bytes = verdict_on(input, Bottleneck::bandwidth);
  EXPECT_EQ(more_than_bytes.proof, Proof::undecided);
  EXPECT_NEAR(more_than_bytes.worth, 0.1, 1e-9);
  EXPECT_TRUE(more_than_bytes.says.ends_with(
      ", and its bytes take at most 10.0 %: so the thief takes more than bandwidth, a shared cache or the clock"))
      << more_than_bytes.says;
  input.experiments[2].proof = Proof::undecided;
  EXPECT_TRUE(verdict_on(input, Bottleneck::bandwidth).says.ends_with("below the ridge")) << "it may be no effect";
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
                  .says.starts_with("beside a core that only computes, a thief of bandwidth makes the step 2.0 % [-8.0 "
                                    "%, 12.0 %] shorter; "));
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
