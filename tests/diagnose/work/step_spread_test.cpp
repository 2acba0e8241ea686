#include "diagnose/work/step_spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

TEST(StepSpread, WholeMeansStayAsTheyAre) {
  EXPECT_EQ(whole_amounts({1, -2}, StepSpread{8, 8, 0}).factor, 1);
  EXPECT_EQ(whole_amounts({1, -2}, StepSpread{8, 0, 0}).per, " per step");
  EXPECT_EQ(whole_amounts({6.5}, std::nullopt).factor, 1) << "nothing is known of the steps";
}

TEST(StepSpread, WorkOfSomeStepsIsSaidPerStepThatHasIt) {
  const WholeAmounts amounts = whole_amounts({6.5, 0.5}, StepSpread{8, 4, 1});
  EXPECT_EQ(amounts.factor, 2);
  EXPECT_EQ(amounts.per, " per step");
  EXPECT_EQ(whole_amounts({1}, StepSpread{8, 4, 1}).factor, 2) << "+1 in the mean is +2 in every second step";
}

TEST(StepSpread, UnevenWorkIsSaidOverAllSteps) {
  const WholeAmounts amounts = whole_amounts({6.5, 0.375}, StepSpread{8, 8, 0});
  EXPECT_EQ(amounts.factor, 8);
  EXPECT_EQ(amounts.per, " in 8 steps");
}

TEST(StepSpread, OperatorsOfEveryStepAreSaidSo) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", {{"aten::neg", 1}});
  sample.red("operators_per_step");
  EXPECT_EQ(only_causes(diagnose(sample.input()))[0].message, "forward: +1 aten::neg per step, in every counted step");
}

TEST(StepSpread, OperatorsOfEverySecondStepAreNotAFraction) {
  SampleCase sample = trained_sample();
  sample.current.counts.operators["optimizer"]["aten::mul"] = 13 * 2;
  sample.current.counts.per_step["operators_per_step"] = {20, 33, 20, 33};
  sample.red("operators_per_step");
  EXPECT_EQ(only_causes(diagnose(sample.input()))[0].message,
            "optimizer: +13 aten::mul per step, in 2 of 4 counted steps (first: step 1)");
}

TEST(StepSpread, TheLargestOfEqualCausesComesFirst) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", {{"aten::neg", 1}});
  inject(sample, "logging", {{"aten::mul", 9}});
  auto& shares = sample.current.counts.by_boundary["operators_per_step"];
  shares = {{"forward", 4}, {"logging", 36}};
  sample.red("operators_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_THAT(causes[0].message, HasSubstr("logging: +9 aten::mul"));
}

}  // namespace
}  // namespace stepgate
