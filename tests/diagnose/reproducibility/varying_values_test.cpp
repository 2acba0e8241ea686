#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// The first run of a case: two processes, no baseline.
class FirstRun : public testing::Test {
 protected:
  FirstRun() {
    sample_.verdict.status = Status::no_baseline;
    sample_.current.exact = {{"operators_per_step", {{20, 20, 20, 20}, {20, 20, 20, 20}}}};
    sample_.current.exact_processes = {{.replicate = 0, .by_boundary = {}, .peak_by_boundary = {}},
                                       {.replicate = 1, .by_boundary = {}, .peak_by_boundary = {}}};
    for (ExactProcess& process : sample_.current.exact_processes)
      process.by_boundary = {{"operators_per_step", {{"forward", 48}, {"optimizer", 32}}}};
  }
  std::vector<Finding> findings() const {
    JudgedComparison input = sample_.input();
    input.exact.reset();
    input.device = device_;
    return explain_varying_values(input);
  }
  NumericTrace& other() { return sample_.current.numerics[1]; }
  std::string source() const { return findings().empty() ? "" : findings().front().message; }

  SampleCase sample_;
  Device device_ = Device::cpu;
};

TEST_F(FirstRun, SaysNothingWhereProcessesAgree) { EXPECT_THAT(findings(), IsEmpty()); }

TEST_F(FirstRun, LossesFromTheFirstStepPointAtWeightsAndData) {
  for (double& loss : other().loss) loss *= 1.1;
  other().grad_norm[0] = 2;
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(name_of(found[0].code), "losses-vary");
  EXPECT_EQ(found[0].severity, Severity::cause);
  EXPECT_EQ(found[0].metric, "loss");
  EXPECT_THAT(found[0].also, ElementsAre("grad_norm"));
  EXPECT_THAT(
      found[0].message,
      AllOf(HasSubstr("processes 0 and 1 ran the same code and differ"), HasSubstr("loss from step 0 on (4 and 4.4)"),
            HasSubstr("gradient norm from step 0 on (1 and 2)"), HasSubstr("initial weights or the first batch")));
  EXPECT_THAT(found[0].advice,
              HasSubstr(R"("varying": [{"case": "suite/case", "metrics": ["loss", "grad_norm"], "reason": "..."}])"));
}

TEST_F(FirstRun, NamesAFurtherLossThatVaries) {
  for (NumericTrace& trace : sample_.current.numerics) trace.further_losses["critic"] = {1, 1, 1, 1};
  other().further_losses["critic"][2] = 1.5;
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(name_of(found[0].code), "losses-vary");
  EXPECT_THAT(found[0].message, HasSubstr("critic loss from step 2 on (1 and 1.5)"));
}

TEST_F(FirstRun, NamesTheReplicatesThatDiffer) {
  sample_.current.numerics.push_back(sample_.current.numerics.front());
  sample_.current.numerics[2].loss[1] = 9;
  sample_.current.exact_processes.push_back({.replicate = 5, .by_boundary = {}, .peak_by_boundary = {}});
  EXPECT_THAT(source(), HasSubstr("processes 0 and 5 "));
}

/// Processes that alternate with a base build are all replicate 0 of a folder of their own.
TEST_F(FirstRun, NamesProcessesByTheirPlaceWhereReplicatesHaveOneNumber) {
  sample_.current.exact_processes[1].replicate = 0;
  other().loss[1] = 9;
  EXPECT_THAT(source(), HasSubstr("processes 0 and 1 "));
}

TEST_F(FirstRun, TheFirstDifferentStepNamesTheSource) {
  other().loss[1] = 9;
  EXPECT_THAT(source(), AllOf(HasSubstr("loss from step 1 on"), HasSubstr("the second batch")));
  other() = *sample_.portable.numerics;
  other().loss[3] = 9;
  EXPECT_THAT(source(), HasSubstr("up to step 2 all is equal"));
  other() = *sample_.portable.numerics;
  other().grad_norm[0] = 9;
  EXPECT_THAT(source(), HasSubstr("something random in backward"));
}

TEST_F(FirstRun, ADifferenceOfRoundingIsOneOfTheOrder) {
  other().loss[0] *= 1 + 1e-7;
  EXPECT_THAT(source(), AllOf(HasSubstr("rounding"), HasSubstr("threads")));
}

TEST_F(FirstRun, NamesTheOperatorThatDraws) {
  sample_.current.counts.operators["forward"]["aten::native_dropout"] = 4;
  other().loss[0] = 9;
  EXPECT_THAT(source(), HasSubstr("the generator of aten::native_dropout in forward"));
}

TEST_F(FirstRun, OtherSamplesPointAtTheData) {
  other().loss[0] = 9;
  sample_.current.exact["effective_tokens_per_step"] = {{90, 91, 92, 93}, {90, 91, 80, 93}};
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].message, HasSubstr("the batches differ too"));
  EXPECT_THAT(found[1].message, HasSubstr("look there first"));
}

TEST_F(FirstRun, CountsNameStepAndBoundary) {
  sample_.current.exact["operators_per_step"][1] = {20, 20, 23, 20};
  sample_.current.exact_processes[1].by_boundary["operators_per_step"]["data_wait"] = 3;
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(name_of(found[0].code), "counts-vary");
  EXPECT_THAT(found[0].message, AllOf(HasSubstr("operators from step 2 on (20 and 23)"), HasSubstr(", in data_wait;"),
                                      HasSubstr("loader workers or another thread")));
}

TEST_F(FirstRun, CountsOfLoggingPointAtAClock) {
  sample_.current.exact["operators_per_step"][1] = {20, 20, 23, 20};
  sample_.current.exact_processes[1].by_boundary["operators_per_step"]["logging"] = 3;
  EXPECT_THAT(source(), HasSubstr("depends on a clock"));
}

TEST_F(FirstRun, BytesAloneAreAWarning) {
  sample_.current.bytes["peak_allocated_bytes"] = {4096, 8192};
  sample_.current.bytes["resident_bytes"] = {1, 2};  // explains, does not gate
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(name_of(found[0].code), "bytes-vary");
  EXPECT_EQ(found[0].severity, Severity::warning) << "a baseline can hold them";
  EXPECT_THAT(found[0].message,
              AllOf(HasSubstr("peak allocated (4096 to 8192 B)"), HasSubstr("counts and losses are equal")));
  EXPECT_THAT(found[0].also, IsEmpty());
}

TEST_F(FirstRun, WhatThePolicyDeclaresIsNotExplainedAgain) {
  other().loss[0] = 9;
  other().grad_norm[0] = 9;
  JudgedComparison input = sample_.input();
  input.policy.varying = {{"suite/*", {"loss"}, "threads"}};
  const auto found = explain_varying_values(input);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].metric, "grad_norm");
}

TEST_F(FirstRun, ADeclaredLossStillShowsWhereTheDifferenceBegins) {
  other().loss[0] = 9;
  other().grad_norm[0] = 9;
  JudgedComparison input = sample_.input();
  input.policy.varying = {{"suite/*", {"loss*"}, "threads"}};
  const auto found = explain_varying_values(input);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, AllOf(HasSubstr("the very first loss differs"), Not(HasSubstr("loss is equal"))));
}

TEST_F(FirstRun, CountsAndBytesFollowFromADeclaredLoss) {
  other().loss[0] = 9;
  sample_.current.exact["operators_per_step"][1] = {20, 20, 23, 20};
  JudgedComparison input = sample_.input();
  input.policy.varying = {{"suite/*", {"loss"}, "threads"}};
  auto found = explain_varying_values(input);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, AllOf(HasSubstr("look there first"), Not(HasSubstr("losses are equal"))));

  input.policy.varying[0].metrics.push_back("operators_per_step");
  input.current.bytes["peak_allocated_bytes"] = {4096, 8192};
  found = explain_varying_values(input);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(name_of(found[0].code), "bytes-vary");
  EXPECT_THAT(found[0].message, AllOf(HasSubstr("look there first"), Not(HasSubstr("losses are equal"))));
}

TEST_F(FirstRun, CountsAloneMayComeFromAGeneratorWithoutASeed) {
  sample_.current.exact["operators_per_step"][1] = {20, 20, 23, 20};
  sample_.current.exact_processes[1].by_boundary["operators_per_step"]["forward"] = 51;
  EXPECT_THAT(source(), AllOf(HasSubstr("a generator that the seed does not set"), HasSubstr("on another thread")));
}

TEST_F(FirstRun, IsSilentWhereTheHalfIsNotJudged) {
  other().loss[0] = 9;
  JudgedComparison input = sample_.input();
  input.judge_exact = false;
  EXPECT_THAT(explain_varying_values(input), IsEmpty());
}

class FirstRunOnGpu : public FirstRun {
 protected:
  FirstRunOnGpu() { device_ = Device::cuda; }
};

TEST_F(FirstRunOnGpu, RoundingBelowATenthOfTheToleranceIsANote) {
  other().loss[1] *= 1 + 4e-7;
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::note);
  EXPECT_THAT(found[0].message, AllOf(HasSubstr("less than a tenth of the tolerance"), HasSubstr("atomic additions")));
  EXPECT_THAT(found[0].advice,
              AllOf(HasSubstr("setDeterministicAlgorithms"), Not(HasSubstr("varying")), Not(HasSubstr("Seed"))));
}

TEST_F(FirstRunOnGpu, ALaterStepBeyondItIsTheCaseAgain) {
  other().loss[1] *= 1 + 4e-7;
  other().loss[3] *= 1 + 5e-5;
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::cause);
  EXPECT_THAT(found[0].advice, AllOf(HasSubstr("setDeterministicAlgorithms"), HasSubstr("varying")));
}

TEST_F(FirstRunOnGpu, AnOperatorWithoutADeterministicImplementationIsTheSource) {
  other().loss[0] *= 1 + 5e-5;
  other().nondeterministic_operators = {"put_"};
  const auto found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("LibTorch has no deterministic implementation of put_"));
  EXPECT_THAT(found[0].advice,
              AllOf(HasSubstr("ranges of both builds"), Not(HasSubstr("Seed")), Not(HasSubstr("\"varying\""))));
}

TEST_F(FirstRunOnGpu, WithoutSeedsTheRemedyIsASeed) {
  other().loss[0] = 9;
  EXPECT_THAT(findings().at(0).advice, HasSubstr("Seed every generator"));
}

TEST_F(FirstRunOnGpu, RoundingExplainsNeitherCountsNorBytes) {
  other().loss[1] *= 1 + 4e-7;
  sample_.current.bytes = {{"peak_allocated_bytes", {4096, 8192}}};
  auto found = findings();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(name_of(found[1].code), "bytes-vary");
  EXPECT_THAT(found[1].message, Not(HasSubstr("look there first")));
  sample_.current.exact["operators_per_step"][1][1] = 21;
  found = findings();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(name_of(found[1].code), "counts-vary");
  EXPECT_THAT(found[1].message, Not(HasSubstr("look there first")));
}

}  // namespace
}  // namespace stepgate
