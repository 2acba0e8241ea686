#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SampleCase with_batch_norm() {
  SampleCase sample = trained_sample();
  inject(sample, "forward",
         {{"aten::batch_norm", 1},
          {"aten::_batch_norm_impl_index", 1},
          {"aten::native_batch_norm", 1},
          {"aten::empty", 8},
          {"aten::empty_like", 1},
          {"aten::add_", 1}});
  inject(sample, "backward",
         {{"aten::native_batch_norm_backward", 1}, {"aten::empty", 4}, {"aten::empty_like", 2}, {"aten::detach", 2}});
  inject(sample, "optimizer", {{"aten::add_", 2}, {"aten::detach_", 2}});
  sample.current.ledger->bytes["parameters"] += 64;
  sample.red("operators_per_step");
  return sample;
}

TEST(BatchNorm, AddedIsOneCauseWithItsParametersAndOperators) {
  const auto causes = only_causes(diagnose(with_batch_norm().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "batch-norm-added");
  EXPECT_THAT(causes[0].message,
              HasSubstr("forward: batch normalisation was added, +1 aten::batch_norm per step, in every counted step"));
  EXPECT_THAT(causes[0].message, HasSubstr("the model has 2 more parameter tensors"));
  EXPECT_THAT(causes[0].message, HasSubstr("backward: +1 aten::native_batch_norm_backward"));
  EXPECT_THAT(causes[0].message, HasSubstr("optimizer: +2 aten::add_"));
}

TEST(BatchNorm, IsNotNamedWhereThereIsNoneMoreOrNothingIsRed) {
  EXPECT_THAT(explain_batch_norm(trained_sample().input()), IsEmpty());
  SampleCase other = trained_sample();
  inject(other, "forward", {{"aten::native_layer_norm", 1}});
  other.red("operators_per_step");
  EXPECT_THAT(explain_batch_norm(other.input()), IsEmpty());
  SampleCase green = with_batch_norm();
  green.verdict.status = Status::pass;
  EXPECT_THAT(explain_batch_norm(green.input()), IsEmpty());
}

/// One more block: its convolution is the change, and its normalisation comes along.
TEST(BatchNorm, OfABlockMoreIsPartOfTheLargerModel) {
  SampleCase sample = with_batch_norm();
  inject(sample, "forward", {{"aten::conv2d", 1}, {"aten::convolution", 1}, {"aten::mkldnn_convolution", 1}});
  sample.current.ledger->bytes["parameters"] += 2048;
  EXPECT_THAT(explain_batch_norm(sample.input()), IsEmpty());
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "parameters-added");
  EXPECT_THAT(causes[0].message, HasSubstr("aten::conv2d"));
}

}  // namespace
}  // namespace stepgate
