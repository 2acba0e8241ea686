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
  EXPECT_TRUE(profile.operators.empty());
  EXPECT_TRUE(profile.bottlenecks.empty());
}

TEST(ProfileCase, StopsAtADiscardedBaseline) {
  SampleProfileInput input;
  for (Replicate& replicate : input.timed.replicates) replicate.taint_reasons = {"12 % of the CPU was stolen"};
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

}  // namespace
}  // namespace stepgate
