// A program that sets otherwise what the baseline was measured with, and a baseline of another tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

const FingerprintMismatch tf32_on = {"tf32_matmul", "off", "on"};

TEST(ChangedSettings, AreRedThoughEveryMetricHolds) {
  ExampleCase example = example_case();
  example.runner_mismatches = {tf32_on, {"cudnn_benchmark", "off", "on"}};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "program-changed-setting");
  EXPECT_EQ(verdict.detail, "the program changed tf32_matmul from off to on, cudnn_benchmark from off to on");
  EXPECT_EQ(verdict_on(verdict, "step_time_ns").status, Status::pass) << "what it did to the times is shown";
  example.judge_timed = false;
  EXPECT_EQ(example.judge().status, Status::pass) << "of the half that is judged";
}

TEST(ChangedSettings, AreRedInThePortableHalfToo) {
  ExampleCase example = example_case();
  example.portable_mismatches = {{"default_dtype", "float32", "float64"}};
  example.values.bytes["peak_allocated_bytes"] = {8192, 8192};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(name_of(verdict.reason), "program-changed-setting") << "why the bytes are red";
  EXPECT_EQ(verdict_on(verdict, "peak_allocated_bytes").status, Status::regressed);
}

TEST(ChangedSettings, SayNothingWhereTheSidesCannotBeCompared) {
  ExampleCase example = example_case();
  example.runner_mismatches = {tf32_on, {"torch", "2.11.0", "2.12.0"}};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::no_baseline) << "another LibTorch may have another default";
  EXPECT_EQ(name_of(verdict.reason), "incompatible-tree");
  EXPECT_THAT(verdict.detail, HasSubstr("tf32_matmul: baseline 'off', here 'on'; torch"));
}

TEST(ChangedSettings, LeaveAFailedCaseFailed) {
  ExampleCase example = example_case();
  example.runner_mismatches = {tf32_on};
  example.values.failures = {"timed replicate 2: killed by signal 11"};
  EXPECT_EQ(name_of(example.judge().reason), "replicate-failed");
}

TEST(ChangedSettings, OfWhatTheLauncherAskedForFailTheCaseByName) {
  ExampleCase example = example_case();
  example.has_portable = example.has_runner = false;
  example.values.failures = {"exact replicate 0: was asked for threads 1 and ended with 2: the program changed it"};
  example.values.changed_setting = true;
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::failed) << "with a baseline or without";
  EXPECT_EQ(name_of(verdict.reason), "program-changed-setting");
  EXPECT_THAT(verdict.detail, HasSubstr("threads 1 and ended with 2"));
}

TEST(ChangedSettings, BetweenTwoBuildsAreRedWhateverThePairsSay) {
  PairedCase paired = paired_case(0);
  Comparison comparison{.current = paired.example.values,
                        .policy = paired.example.policy,
                        .hypotheses = 3,
                        .judge_exact = false,
                        .today = paired.example.today,
                        .reference = PairedReference{.pairs = paired.pairs, .mismatches = {tf32_on}}};
  CaseVerdict verdict = judge_case(comparison);
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "program-changed-setting");
  EXPECT_EQ(verdict_on(verdict, "step_time_ns").status, Status::pass) << "the pairs are judged";
  std::get<PairedReference>(comparison.reference).mismatches = {{"data_digest", "a", "b"}};
  verdict = judge_case(comparison);
  EXPECT_EQ(verdict.status, Status::no_baseline);
  EXPECT_EQ(name_of(verdict.reason), "incompatible-builds");
}

TEST(IncompatibleTree, IsToldFromAnotherMachine) {
  ExampleCase example = example_case();
  for (const FingerprintMismatch& fact : {FingerprintMismatch{"malloc", "tuned", "LD_PRELOAD=libjemalloc.so"},
                                          {"data_digest", "a", "b"},
                                          {"threads", "1", "2"}}) {
    example.runner_mismatches = {fact, {"cpu_model", "EPYC", "Xeon"}};
    EXPECT_EQ(example.judge().status, Status::no_baseline) << fact.key;
    EXPECT_EQ(name_of(verdict_on(example.judge(), "step_time_ns").reason), "incompatible-tree") << fact.key;
  }
  example.runner_mismatches = {{"cpu_model", "EPYC", "Xeon"}};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "step_time_ns").reason), "incompatible-baseline");
}

}  // namespace
}  // namespace stepgate
