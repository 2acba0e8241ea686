#include "diagnose/numerics/first_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// All processes of the head give these losses.
SampleCase with_losses(std::vector<double> losses) {
  SampleCase sample;
  for (NumericTrace& now : sample.current.numerics) now.loss = losses;
  sample.red("loss");
  return sample;
}

NumericDifference difference_in(const SampleCase& sample) {
  const auto found = numeric_difference(sample.input(), *sample.portable.numerics, sample.current.numerics.front());
  EXPECT_TRUE(found);
  return found.value_or(NumericDifference{});
}

TEST(FirstDifference, AnUpdateThatDriftsApartIsAnUpdateFromItsFirstStepOn) {
  const SampleCase sample = with_losses({4.0, 3.500001, 3.10003, 2.804});  // base 4, 3.5, 3.1, 2.8
  const Finding cause = explain_numerics(sample.input()).at(0);
  EXPECT_EQ(name_of(cause.code), "update-changed");
  EXPECT_THAT(cause.message, AllOf(HasSubstr("loss of step 1 was 3.5, is 3.500001"),
                                   HasSubstr("out of tolerance from step 3 on: loss of step 3 was 2.8, is 2.804")));
  EXPECT_EQ(cause.metric, "loss");
}

TEST(FirstDifference, WithinItsToleranceAGradientIsStillTheFirstDifference) {
  SampleCase sample = with_losses({4.0, 3.5, 3.1, 2.9});
  for (NumericTrace& now : sample.current.numerics) now.grad_norm[1] *= 1.0005;  // 1e-3 is its tolerance
  const Finding cause = explain_numerics(sample.input()).at(0);
  EXPECT_EQ(name_of(cause.code), "gradient-changed");
  EXPECT_EQ(cause.metric, "loss") << "the metric that is red";
}

TEST(FirstDifference, RoundingOfAnotherMachineIsNoChange) {
  const SampleCase from_the_start = with_losses({4.0000004, 3.5000004, 3.1000004, 2.9});
  EXPECT_EQ(difference_in(from_the_start).first.step, 3U);
  EXPECT_EQ(name_of(explain_numerics(from_the_start.input()).at(0).code), "numerics-diverge");
  const SampleCase from_step_one = with_losses({4.0, 3.5000004, 3.1000004, 2.9});
  EXPECT_EQ(difference_in(from_step_one).first.step, 3U) << "two steps in a row within rounding";
}

TEST(FirstDifference, ABaseThatWasMeasuredHereRoundsAlike) {
  const SampleCase sample = with_losses({4.0, 3.5000004, 3.1000004, 2.9});
  EXPECT_THAT(explain_numerics(sample.input()).at(0).message, HasSubstr("from step 1 on values differ by rounding"));
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.holds_exact = true};
  EXPECT_EQ(numeric_difference(input, *sample.portable.numerics, sample.current.numerics.front())->first.step, 1U);
  EXPECT_EQ(name_of(explain_numerics(input).at(0).code), "update-changed");
}

TEST(FirstDifference, AnotherKernelThatRoundsFromTheFirstValueOnHidesNoLaterJump) {
  const SampleCase sample = with_losses({4.0000004, 3.6, 3.2, 2.9});
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.holds_exact = true};
  EXPECT_EQ(numeric_difference(input, *sample.portable.numerics, sample.current.numerics.front())->first.step, 1U);
  EXPECT_EQ(name_of(explain_numerics(input).at(0).code), "update-changed");
}

TEST(FirstDifference, OneProcessOfAGpuDoesNotShowThatItRepeats) {
  SampleCase sample = with_losses({4.0, 3.5000004, 3.1000004, 2.9});
  sample.current.numerics.resize(1);
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.holds_exact = true};
  EXPECT_EQ(numeric_difference(input, *sample.portable.numerics, sample.current.numerics.front())->first.step, 1U);
  input.device = Device::cuda;
  EXPECT_EQ(numeric_difference(input, *sample.portable.numerics, sample.current.numerics.front())->first.step, 3U);
}

TEST(FirstDifference, AJumpOutOfRoundingIsTheChangeBeforeItIsOutOfTolerance) {
  EXPECT_EQ(difference_in(with_losses({4.0000004, 3.5000004, 3.1001, 2.9})).first.step, 2U);
  EXPECT_EQ(difference_in(with_losses({4.0000004, 3.500002, 3.10001, 2.9})).first.step, 3U)
      << "rounding that grows is no jump";
}

TEST(FirstDifference, ProcessesThatDoNotRepeatToTheBitLeaveItToTheTolerance) {
  SampleCase sample = with_losses({4.0, 3.50001, 3.1001, 2.9});
  EXPECT_EQ(difference_in(sample).first.step, 1U);
  sample.current.numerics[1].loss[1] = 3.50002;
  EXPECT_EQ(difference_in(sample).first.step, 3U);
}

TEST(FirstDifference, AMetricThatIsDeclaredToVaryIsNotRead) {
  SampleCase sample = with_losses({4.0, 3.5, 3.1, 2.9});
  for (NumericTrace& now : sample.current.numerics) now.grad_norm[0] = 1.0005;
  JudgedComparison input = sample.input();
  input.policy.varying = {{"suite/*", {"grad_norm"}, "threads"}};
  EXPECT_EQ(numeric_difference(input, *sample.portable.numerics, sample.current.numerics.front())->first.step, 3U);
}

TEST(FirstDifference, ALaterLossIsTheUpdateWhereTheOptimizerCallsOtherOperators) {
  SampleCase sample = with_losses({4.0, 3.5, 3.1, 2.9});
  EXPECT_EQ(name_of(explain_numerics(sample.input()).at(0).code), "numerics-diverge");
  sample.portable.operators["optimizer"]["aten::clamp"] = 4;
  const Finding cause = explain_numerics(sample.input()).at(0);
  EXPECT_EQ(name_of(cause.code), "update-changed");
  EXPECT_THAT(cause.message, HasSubstr("losses and gradients up to step 2 agree"));
}

TEST(FirstDifference, OtherRandomNumbersAreSaid) {
  SampleCase sample = with_losses({4.0, 3.6, 3.2, 2.9});
  sample.current.counts.operators["data_wait"]["aten::rand"] = 4;
  const Finding cause = explain_numerics(sample.input()).at(0);
  EXPECT_EQ(name_of(cause.code), "numerics-diverge");
  EXPECT_THAT(cause.message, AllOf(HasSubstr("from step 1 on"), HasSubstr("data_wait +1 aten::rand")));
}

TEST(FirstDifference, OutOfToleranceAtOnceIsSaidOnce) {
  EXPECT_THAT(explain_numerics(with_losses({4.0, 3.6, 3.1, 2.8}).input()).at(0).message,
              Not(HasSubstr("out of tolerance")));
}

}  // namespace
}  // namespace stepgate
