#include "diagnose/numerics/recognised_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The gradient norm of the first step is multiplied by `factor`.
SampleCase with_norms_times(double factor) {
  SampleCase sample;
  for (NumericTrace& now : sample.current.numerics) {
    for (double& norm : now.grad_norm) norm *= factor;
  }
  sample.red("grad_norm");
  return sample;
}

Finding numeric_cause(const SampleCase& sample) { return explain_numerics(sample.input()).at(0); }

TEST(RecognisedFactor, TheLossScaleIsNamed) {
  SampleCase sample = with_norms_times(1024);
  sample.portable.numerics->loss_scale = {1024, 1024, 1024, 1024};
  for (NumericTrace& now : sample.current.numerics) now.loss_scale = sample.portable.numerics->loss_scale;
  const Finding cause = numeric_cause(sample);
  EXPECT_EQ(name_of(cause.code), "gradient-changed");
  EXPECT_THAT(cause.message, HasSubstr("1 024 times as large = the loss scale"));
  EXPECT_THAT(cause.advice, HasSubstr("unscale_()"));
}

TEST(RecognisedFactor, AScaleThatNobodyReportsIsAPowerOfTwo) {
  EXPECT_THAT(numeric_cause(with_norms_times(65536)).message,
              HasSubstr("65 536 times as large = a power of two, as a loss scale is"));
  EXPECT_THAT(numeric_cause(with_norms_times(1.0 / 65536)).message, HasSubstr("1/65 536 of it = a power of two"));
}

/// Its first convolution takes 32 images.
SampleCase with_images(double factor) {
  SampleCase sample;
  OperatorSite convolution{.boundary = "forward", .name = "aten::conv2d"};
  convolution.place = 0;
  convolution.inputs = {{{32, 1, 8, 8}, {64, 64, 8, 1}, "float32"}, {{4, 1, 3, 3}, {9, 9, 3, 1}, "float32"}};
  convolution.calls = 4;
  ObservedWork work;
  work.steps = 4;
  work.places = {CodePlace{{1}, {{"Net::forward", "net.cpp", 3}}}};
  work.sites = {convolution};
  sample.current.counts.observed = work;
  for (NumericTrace& now : sample.current.numerics) now.loss[0] *= factor;
  sample.red("loss");
  return sample;
}

TEST(RecognisedFactor, ASumInPlaceOfAMeanIsTheBatch) {
  const Finding cause = numeric_cause(with_images(32));
  EXPECT_EQ(name_of(cause.code), "forward-changed");
  EXPECT_THAT(cause.message, HasSubstr("32 times as large = the samples of a batch"));
  EXPECT_THAT(cause.advice, HasSubstr("reduction"));
}

TEST(RecognisedFactor, AWholeNumberIsSaidAndAnyOtherIsNot) {
  EXPECT_THAT(numeric_cause(with_norms_times(4)).message, HasSubstr(": 4 times as large"));
  EXPECT_THAT(numeric_cause(with_norms_times(4)).advice, HasSubstr("micro-batches"));
  EXPECT_THAT(numeric_cause(with_norms_times(0.25)).message, HasSubstr(": 1/4 of it"));
  EXPECT_THAT(numeric_cause(with_norms_times(-1)).message, HasSubstr("the same with the other sign"));
  for (const double other : {1.01, 3.99, 257.3, 65000.0})
    EXPECT_THAT(numeric_cause(with_norms_times(other)).message,
                AllOf(Not(HasSubstr("times as large")), Not(HasSubstr("of it"))))
        << other;
}

}  // namespace
}  // namespace stepgate
