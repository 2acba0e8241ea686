#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const CallsPerStep one_conversion = {
    {"aten::to", 1}, {"aten::_to_copy", 1}, {"aten::copy_", 1}, {"aten::empty_strided", 1}};

TEST(Conversion, OfABatchInEachStepIsNamed) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", one_conversion);
  sample.red("operators_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "conversion-added");
  EXPECT_THAT(causes[0].message, HasSubstr("forward: 1 more tensor per step is converted or moved by .to(), in every "
                                           "counted step; with it forward: +1 aten::_to_copy"));
}

TEST(Conversion, OfAWholeModelInEachStepIsNamed) {
  SampleCase sample = trained_sample();  // m.to(kDouble), m.to(kFloat): four parameters, there and back
  inject(sample, "forward",
         {{"aten::to", 8},
          {"aten::_to_copy", 8},
          {"aten::copy_", 8},
          {"aten::empty_strided", 8},
          {"aten::_has_compatible_shallow_copy_type", 16}});
  sample.red("operators_per_step");
  EXPECT_THAT(explain_conversions(sample.input())[0].message,
              HasSubstr("8 more tensors per step are converted or moved"));
}

TEST(Conversion, ThatCopiesNothingIsToldFromOneThatDoes) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", {{"aten::to", 4}, {"aten::_has_compatible_shallow_copy_type", 8}});
  sample.red("operators_per_step");
  EXPECT_THAT(explain_conversions(sample.input())[0].message,
              HasSubstr("forward: .to() is called 4 times more per step; nothing is converted"));
}

TEST(Conversion, OfGradientsFollowsThatOfForward) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", one_conversion);
  inject(sample, "backward", one_conversion);
  sample.red("operators_per_step");
  EXPECT_EQ(only_causes(diagnose(sample.input())).size(), 1U);
}

TEST(Conversion, ByArithmeticIsNotNamed) {
  EXPECT_THAT(explain_conversions(trained_sample().input()), IsEmpty());
  SampleCase adam = trained_sample();  // an optimizer that multiplies by scalars converts them
  inject(adam, "optimizer", {{"aten::to", 5}, {"aten::_to_copy", 5}, {"aten::copy_", 5}, {"aten::mul", 1}});
  adam.red("operators_per_step");
  EXPECT_THAT(explain_conversions(adam.input()), IsEmpty());
  SampleCase clone = trained_sample();
  inject(clone, "forward", {{"aten::clone", 1}, {"aten::copy_", 1}, {"aten::empty_like", 1}});
  clone.red("operators_per_step");
  EXPECT_THAT(explain_conversions(clone.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
