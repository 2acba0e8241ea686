#include "diagnose/profile/profile_case.h"

#include <gtest/gtest.h>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

TEST(ProfileCase, TellsTheStep) {
  SampleProfileInput input;
  input.timed.replicates[0].record->timed["e2e"].steps[0].wall_ns = 40'000'000;
  input.timed.replicates[0].record->timed["e2e"].steps[1].cold_shape = true;
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.stopped, "");
  EXPECT_EQ(profile.step.steps, 29);
  EXPECT_EQ(profile.step.steady_after, 21);
  EXPECT_DOUBLE_EQ(profile.step.median_ns, 10e6);
  EXPECT_NEAR(profile.step.mean_ns, (28 * 10e6 + 40e6) / 29, 1e-3);
  EXPECT_DOUBLE_EQ(profile.step.max_ns, 40e6);
  EXPECT_NEAR(profile.throughput.at("samples_per_s"), 8 / (profile.step.mean_ns / 1e9), 1e-6);
  EXPECT_DOUBLE_EQ(profile.components.at("backward"), 4.5e6);
}

TEST(ProfileCase, StopsAtAnUnsteadyBaseline) {
  SampleProfileInput input;
  Warmup& first = *input.timed.replicates[0].record->warmup;
  first.steady = false;
  first.reasons = {"the step time still falls"};
  EXPECT_EQ(profile_case(input).stopped, "");
  input.timed.replicates[1].record->warmup = first;
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.stopped, "the step is not steady: the step time still falls (2 of 3 processes)");
  EXPECT_GT(profile.step.steps, 0);
  EXPECT_TRUE(profile.account.empty());
  EXPECT_TRUE(profile.bottlenecks.empty());
}

MemoryLedger small_ledger() { return {.peak_bytes = 1024, .boundary = "backward", .bytes = {{"activations", 1024}}}; }

TEST(ProfileCase, WhatNeedsNoQuietMachineIsThereOnABusyOne) {
  SampleProfileInput input;
  MemoryProfile& memory = input.exact.replicates[0].record->memory.emplace();
  memory.ledger = small_ledger();
  memory.by_boundary["forward"].allocated_bytes = 512;
  for (Replicate& replicate : input.timed.replicates) replicate.taint_reasons = {"12 % of the CPU was stolen"};
  input.profile.replicates[0].taint_reasons = {"12 % of the CPU was stolen"};
  const Profile profile = profile_case(input);
  ASSERT_EQ(profile.operators.size(), 3U);
  EXPECT_EQ(profile.operators[0].site.name, "aten::mm");
  EXPECT_EQ(profile.operators[0].roof_ns, 0) << "peaks of a busy machine are no roofs";
  EXPECT_TRUE(profile.census);
  ASSERT_TRUE(profile.memory);
  EXPECT_EQ(profile.memory->peak_bytes, 1024);
  EXPECT_EQ(profile.boundary_memory.at("forward").allocated_bytes, 512);
  EXPECT_EQ(profile.checklist.size(), 30U);
  EXPECT_EQ(
      profile.absent.at("times of operators"),
      "discarded: 12 % of the CPU was stolen: calls, sizes, bytes and lines hold, times are those of a busy machine");
  EXPECT_TRUE(profile.absent.contains("roofs"));
  EXPECT_TRUE(profile.account.empty());
  EXPECT_EQ(profile.step.steps, 0);
}

/// The baseline was quiet, and the observed processes were not: their times are no part of its step.
TEST(ProfileCase, TimesOfDisturbedProcessesAreNoPartOfTheAccount) {
  SampleProfileInput input;
  input.profile.replicates[0].taint_reasons = {"12 % of the CPU was stolen"};
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.stopped, "");
  EXPECT_EQ(profile.operators.size(), 3U);
  for (const AccountPart& part : profile.account) {
    EXPECT_TRUE(part.part == "other" || part.part == "data-wait" || part.part == "logging") << part.part;
  }
}

TEST(ProfileCase, StopsAtADiscardedBaseline) {
  SampleProfileInput input;
  for (Replicate& replicate : input.timed.replicates) replicate.taint_reasons = {"12 % of the CPU was stolen"};
  EXPECT_EQ(profile_case(input).stopped, "the baseline has no clean process: discarded: 12 % of the CPU was stolen");
}

TEST(ProfileCase, AProcessThatWasRepeatedIsNotWhyItStops) {
  SampleProfileInput input;
  for (Replicate& replicate : input.timed.replicates) replicate.taint_reasons = {"12 % of the CPU was stolen"};
  Replicate& repeated = input.timed.replicates[0];
  repeated.record.reset();
  repeated.failure = {FailureKind::infrastructure, "Xid 79", ""};
  repeated.set_aside = "it failed by a fault of the GPU and was repeated";
  ASSERT_GT(input.timed.replicates.size(), 1U);
  EXPECT_EQ(profile_case(input).stopped, "the baseline has no clean process: discarded: 12 % of the CPU was stolen");
}

TEST(ProfileCase, AProfileWithoutItsOwnProcessesSaysWhatIsMissing) {
  SampleProfileInput input;
  input.profile.replicates[0].record.reset();
  input.profile.replicates[0].failure = ReplicateFailure{FailureKind::crashed, "killed by signal 11", ""};
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.stopped, "");
  EXPECT_EQ(profile.absent.at("operators"), "no clean process of group profile: killed by signal 11");
  EXPECT_FALSE(profile.account.empty());
}

TEST(ProfileCase, TellsWhatCallsCostUnlessTheBaselineStoppedIt) {
  SampleProfileInput input;
  input.call_costs = {{.at = {"Net::forward", "net.cpp", 12}, .name = "net.cpp:12", .calls = 4}};
  const Profile profile = profile_case(input);
  ASSERT_EQ(profile.call_costs.size(), 1U);
  EXPECT_EQ(profile.call_costs[0].name, "net.cpp:12");
  for (Replicate& replicate : input.timed.replicates) replicate.taint_reasons = {"12 % of the CPU was stolen"};
  EXPECT_TRUE(profile_case(input).call_costs.empty());
}

/// As a profile on an emulated GPU: nothing was timed, on purpose.
TEST(ProfileCase, WithoutTimesHasCountsAndSaysWhyTheRestIsAbsent) {
  SampleProfileInput input;
  input.no_times = "an emulated GPU has no times";
  input.timed.replicates.clear();
  input.timed.plan.device = Device::cuda;
  input.profile.replicates[0].record->profile->peaks = {};
  for (OperatorSite& site : input.run().observed->sites) site.self_ns = site.total_ns = 0;
  input.exact.replicates[0].record->memory.emplace().ledger = small_ledger();
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.stopped, "") << "nothing failed";
  EXPECT_EQ(profile.operator_times, OperatorTimes::none);
  ASSERT_EQ(profile.operators.size(), 3U);
  EXPECT_GT(profile.flops, 0);
  EXPECT_TRUE(profile.census);
  EXPECT_TRUE(profile.memory);
  for (const char* part : {"step", "throughput", "kind of bottleneck", "experiments", "times of boundaries", "roofs",
                           "times of operators", "what calls cost", "advice"})
    EXPECT_EQ(profile.absent.at(part), input.no_times) << part;
  EXPECT_FALSE(profile.absent.contains("roofs of operators"));
  for (const OperatorRow& row : profile.operators) {
    EXPECT_EQ(row.self_ns, 0) << row.site.name;
    EXPECT_EQ(row.roof_ns, 0) << row.site.name;
  }
  EXPECT_TRUE(profile.account.empty());
  EXPECT_TRUE(profile.components.empty());
  ASSERT_EQ(profile.checklist.size(), 30U);
  for (const ChecklistEntry& entry : profile.checklist) {
    if (entry.id != "timing" && entry.id != "wait" && entry.id != "mean-only" && entry.id != "7") continue;
    EXPECT_EQ(entry.answer, Answer::unknown) << entry.id;
    EXPECT_EQ(entry.evidence, input.no_times) << entry.id;
  }
  EXPECT_TRUE(profile.advice.empty());
}

TEST(ProfileCase, SaysWhyOperatorsHaveNoLines) {
  SampleProfileInput input;
  ObservedWork& work = *input.run().observed;
  work.frames_from = FramesFrom::lines;
  EXPECT_FALSE(profile_case(input).absent.contains("source lines"));
  work.frames_from = FramesFrom::symbols;
  work.not_lines = "perf holds no line information of the user's code";
  EXPECT_TRUE(profile_case(input)
                  .absent.at("source lines")
                  .starts_with("perf holds no line information of the user's code; build the perftest with -g1"));
}

/// A call on a GPU returns before its kernels ran. Its time on the host would make the fastest roof too low.
TEST(ProfileCase, TimesOfTheHostHaveNoRoofs) {
  SampleProfileInput input;
  input.product().self_ns = input.product().total_ns = 16'000;  // to launch it
  EXPECT_FALSE(profile_case(input).low_roofs.empty()) << "on a CPU the peak was measured wrong";
  EXPECT_EQ(profile_case(input).operator_times, OperatorTimes::call);
  input.on_gpu(9'000'000);
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.operator_times, OperatorTimes::host);
  EXPECT_TRUE(profile.low_roofs.empty());
  for (const OperatorRow& row : profile.operators) EXPECT_EQ(row.roof_ns, 0) << row.site.name;
  EXPECT_TRUE(profile.absent.at("roofs of operators").starts_with("times of operators are those of the host"));
  for (const char* kind : {"bottleneck bandwidth", "bottleneck operators"}) {
    EXPECT_EQ(profile.absent.at(kind), profile.absent.at("roofs of operators")) << kind;
  }
  EXPECT_EQ(profile.peaks.flops_per_s.at("float32"), 1e9) << "the step is still compared with it";
}

TEST(ProfileCase, OperatorsThatWereTracedHaveTheTimesOfTheGpu) {
  SampleProfileInput input;
  input.on_gpu(9'000'000);
  input.run().observed_wall_ns = 60'000'000;
  input.profile.replicates.push_back(input.profile.replicates[0]);  // only one process traces
  input.run().device_times = {
      {.boundary = "forward", .name = "aten::mm", .calls = 2, .self_ns = 12'000'000, .total_ns = 12'000'000}};
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.operator_times, OperatorTimes::device);
  EXPECT_FALSE(profile.absent.contains("roofs of operators"));
  ASSERT_FALSE(profile.operators.empty());
  EXPECT_EQ(profile.operators[0].site.name, "aten::mm");
  EXPECT_DOUBLE_EQ(profile.operators[0].self_ns, 6e6) << "one call a step, and no part of the observer's";
  EXPECT_DOUBLE_EQ(profile.operators[0].efficiency, 0.5) << "without the price of a call";
  EXPECT_DOUBLE_EQ(profile.observer_overhead, 0.5);
}

TEST(ProfileCase, AnExperimentThatSomeProcessesRanIsNotMissing) {
  SampleProfileInput input;
  input.run().absent = {{"delayed-loader", "a batch comes within 20 us: too fast to be delayed"},
                        {"exchange-off", "one rank exchanges nothing"}};
  input.ran(Experiment::delayed_loader, 1.2, Proof::proven);
  const Profile profile = profile_case(input);
  EXPECT_FALSE(profile.absent.contains("delayed-loader"));
  EXPECT_TRUE(profile.absent.contains("exchange-off"));
}

}  // namespace
}  // namespace stepgate
