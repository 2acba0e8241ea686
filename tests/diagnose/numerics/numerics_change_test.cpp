#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// All processes agree: each test changes the first one only.
Finding only_finding(SampleCase& sample, const std::string& metric) {
  for (NumericTrace& now : sample.current.numerics) now = sample.current.numerics.front();
  sample.red(metric);
  const auto findings = explain_numerics(sample.input());
  EXPECT_EQ(findings.size(), 1U);
  return findings.empty() ? Finding{FindingCode::unexplained, Severity::note, "", "", ""} : findings[0];
}

TEST(NumericsChange, FirstLossDiffersMeansForward) {
  SampleCase sample;
  sample.current.numerics[0].loss[0] = 4.004;
  const Finding finding = only_finding(sample, "loss");
  EXPECT_EQ(name_of(finding.code), "forward-changed");
  EXPECT_THAT(finding.message, AllOf(HasSubstr("loss of step 0 was 4, is 4.004 (+0.10 %)"), HasSubstr("[ISA AVX2]")));
}

SampleCase with_discriminator() {
  SampleCase sample;
  sample.portable.numerics->further_losses["discriminator"] = {0.7, 0.6, 0.5, 0.4};
  for (NumericTrace& now : sample.current.numerics) now.further_losses = sample.portable.numerics->further_losses;
  return sample;
}

TEST(NumericsChange, AFurtherLossNamesItsBoundary) {
  SampleCase sample = with_discriminator();
  sample.current.numerics[0].further_losses["discriminator"][0] = 0.8;
  sample.current.numerics[0].loss[1] = 3.6;  // the generator follows
  sample.red("loss");
  const Finding finding = only_finding(sample, "loss[discriminator]");
  EXPECT_EQ(name_of(finding.code), "loss-changed");
  EXPECT_EQ(finding.boundary, "discriminator");
  EXPECT_EQ(finding.metric, "loss[discriminator]");
  EXPECT_EQ(finding.also, std::vector<std::string>{"loss"});
  EXPECT_THAT(finding.message, HasSubstr("discriminator: its very first value differs"));
  EXPECT_THAT(finding.message, HasSubstr("discriminator loss of step 0 was 0.7, is 0.8"));
}

TEST(NumericsChange, WithinAStepTheFirstBoundaryIsTheCause) {
  SampleCase sample = with_discriminator();
  sample.current.numerics[0].further_losses["discriminator"][0] = 0.8;
  sample.current.numerics[0].loss[0] = 4.1;
  sample.red("loss");
  SampleCase before_forward = sample;
  before_forward.current.boundaries.insert(2, "discriminator");
  EXPECT_EQ(only_finding(before_forward, "loss[discriminator]").metric, "loss[discriminator]");
  sample.current.boundaries.insert(5, "discriminator");
  EXPECT_EQ(only_finding(sample, "loss[discriminator]").metric, "loss");
}

TEST(NumericsChange, TheFirstLossThatBreaksIsNamed) {
  SampleCase sample = with_discriminator();
  sample.current.numerics[0].further_losses["discriminator"][1] = std::numeric_limits<double>::infinity();
  sample.current.numerics[0].loss[2] = std::numeric_limits<double>::quiet_NaN();
  const Finding finding = only_finding(sample, "loss[discriminator]");
  EXPECT_EQ(name_of(finding.code), "non-finite");
  EXPECT_THAT(finding.message, HasSubstr("discriminator: discriminator loss of step 1 is inf"));
}

TEST(NumericsChange, FirstGradientDiffersMeansBackward) {
  SampleCase sample;
  sample.current.numerics[0].grad_norm[0] = 2.0;
  sample.current.numerics[0].loss[1] = 3.6;
  const Finding finding = only_finding(sample, "grad_norm");
  EXPECT_EQ(name_of(finding.code), "gradient-changed");
  EXPECT_THAT(finding.message, HasSubstr("backward, from step 0 on"));
}

TEST(NumericsChange, SecondLossDiffersMeansTheUpdate) {
  SampleCase sample;
  sample.current.numerics[0].loss[1] = 3.6;
  sample.current.numerics[0].grad_norm[1] = 0.95;
  EXPECT_EQ(name_of(only_finding(sample, "loss").code), "update-changed");
}

TEST(NumericsChange, AGradientThatGrowsAtStepOneMeansZeroGradIsMissing) {
  SampleCase sample;
  sample.current.numerics[0].grad_norm = {1.0, 1.7, 2.2, 2.6};
  sample.current.numerics[0].loss = {4.0, 3.5, 2.9, 2.2};
  const Finding finding = only_finding(sample, "loss");
  EXPECT_EQ(name_of(finding.code), "gradients-accumulate");
  EXPECT_THAT(finding.advice, HasSubstr("zero_grad"));
}

TEST(NumericsChange, AGradientThatShrinksAtStepOneIsNotAccumulation) {
  SampleCase sample;
  sample.current.numerics[0].grad_norm[1] = 0.5;
  EXPECT_EQ(name_of(only_finding(sample, "grad_norm").code), "gradient-changed");
}

TEST(NumericsChange, ALaterDifferenceNamesItsStep) {
  SampleCase sample;
  sample.current.numerics[0].loss[3] = 2.9;
  const Finding finding = only_finding(sample, "loss");
  EXPECT_EQ(name_of(finding.code), "numerics-diverge");
  EXPECT_THAT(finding.message, HasSubstr("from step 3 on: up to step 2 everything agrees"));
}

TEST(NumericsChange, NonFiniteWinsOverEverythingAndNamesItsFirstStep) {
  SampleCase sample;
  sample.current.numerics[0].loss = {9.0, 3.5, std::nan(""), std::nan("")};
  sample.current.numerics[0].grad_norm = {1.0, std::numeric_limits<double>::infinity(), 1.0, 1.0};
  const Finding finding = only_finding(sample, "loss");
  EXPECT_EQ(name_of(finding.code), "non-finite");
  EXPECT_THAT(finding.message, HasSubstr("backward: gradient norm of step 1 is inf"));
}

TEST(NumericsChange, LossComesBeforeTheGradientOfTheSameStep) {
  SampleCase sample;
  sample.current.numerics[0].loss[2] = sample.current.numerics[0].grad_norm[2] = std::nan("");
  EXPECT_THAT(only_finding(sample, "loss").message, HasSubstr("forward: loss of step 2"));
}

TEST(NumericsChange, AStepThatIsOneCallComputesItsLossInItsOneBoundary) {
  SampleCase sample;
  sample.current.boundaries = StepBoundaries({"data_wait", "h2d", whole_step_name, "logging"});
  sample.current.numerics[0].loss[2] = std::nan("");
  EXPECT_THAT(only_finding(sample, "loss").message, HasSubstr("whole_step: loss of step 2"));
}

TEST(NumericsChange, RespectsThePolicysTolerancesAndStillExplains) {
  SampleCase sample;
  sample.current.numerics.resize(1);
  sample.current.numerics[0].loss[0] = 4.0001;  // 2.5e-5: within 1e-4
  sample.red("loss").detail = "loss of step 30 differs";
  EXPECT_EQ(name_of(explain_numerics(sample.input())[0].code), "numerics-changed");
  Policy strict;
  strict.loss_rtol = 1e-6;
  JudgedComparison input = sample.input();
  input.policy = strict;
  EXPECT_EQ(name_of(explain_numerics(input)[0].code), "forward-changed");
}

TEST(NumericsChange, AFinalLossAloneSaysThatTheFirstStepsAgree) {
  SampleCase sample;
  sample.red("final_loss").detail = "final loss +3.0 % [+2.1 %, +3.9 %] over 5 seeds of 200 steps";
  EXPECT_THAT(explain_numerics(sample.input())[0].advice, HasSubstr("the first steps are within their limits"));
  sample.current.numerics.resize(1);
  sample.current.numerics[0].loss[0] = 4.004;
  sample.red("loss");
  EXPECT_EQ(name_of(explain_numerics(sample.input())[0].code), "forward-changed")
      << "the earliest difference is the cause";
}

TEST(NumericsChange, DeviceBaselinesDoNotNameTheIsa) {
  SampleCase sample;
  sample.current.numerics.resize(1);
  sample.current.numerics[0].loss[0] = 5;
  sample.red("loss");
  JudgedComparison input = sample.input();
  input.device = Device::cuda;
  input.exact->scope = Scope::device;
  EXPECT_THAT(explain_numerics(input)[0].message, Not(HasSubstr("ISA")));
}

/// Two processes of the same code whose losses differ from the start; only the loss is declared to vary.
JudgedComparison with_declared_loss(SampleCase& sample) {
  sample.current.numerics[0].loss[0] = 4.4;
  sample.current.numerics[1].loss[0] = 4.9;
  for (NumericTrace& now : sample.current.numerics) now.grad_norm[0] = 2;
  sample.red("grad_norm");
  JudgedComparison input = sample.input();
  input.policy.varying = {{"suite/*", {"loss*"}, "threads"}};
  return input;
}

TEST(NumericsChange, ProcessesThatDisagreeNameNoChangeOfTheModel) {
  SampleCase sample;
  JudgedComparison input = with_declared_loss(sample);
  const auto equal_norms = explain_numerics(input);
  ASSERT_EQ(equal_norms.size(), 1U);
  EXPECT_EQ(name_of(equal_norms[0].code), "numerics-changed");
  EXPECT_THAT(equal_norms[0].message, Not(HasSubstr("loss differs")));
  EXPECT_THAT(equal_norms[0].advice, Not(HasSubstr("model")));

  input.current.numerics[1].grad_norm[0] = 3;
  EXPECT_THAT(explain_numerics(input), IsEmpty()) << "losses-vary names it";
}

TEST(NumericsChange, ADisagreementWithinTheToleranceHidesNothing) {
  SampleCase sample;
  for (NumericTrace& now : sample.current.numerics) now.loss[0] = 4.4;
  sample.current.numerics[1].loss[0] += 1e-6;
  sample.red("loss");
  EXPECT_EQ(name_of(explain_numerics(sample.input()).at(0).code), "forward-changed");
}

TEST(NumericsChange, SaysNothingOnGreen) {
  SampleCase sample;
  sample.current.numerics.resize(1);
  sample.current.numerics[0].loss[0] = 5;
  EXPECT_THAT(explain_numerics(sample.input()), IsEmpty());
}

TEST(NumericsChange, AnotherScaleIsAChangeHoweverSmall) {
  SampleCase sample;
  sample.portable.numerics->loss_scale = {65536, 65536, 65536, 65536};
  for (NumericTrace& now : sample.current.numerics) now.loss_scale = {65536, 65536, 32768, 32768};
  sample.red("loss_scale");
  const auto findings = explain_numerics(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "loss-scale-changed");
  EXPECT_EQ(findings[0].metric, "loss_scale");
  EXPECT_NE(findings[0].message.find("after step 2 the loss scale is 32768, was 65536"), std::string::npos);
}

}  // namespace
}  // namespace stepgate
