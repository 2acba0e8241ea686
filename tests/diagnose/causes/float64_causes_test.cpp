#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The state of the optimizer is in float64 now: the same operators, on wider tensors.
SampleCase wider_state() {
  SampleCase sample = pattern_sample();
  ObservedWork& work = *sample.current.counts.observed;
  const ObservedTensor state = float64({32, 97});
  add_site(work, {"optimizer", "aten::add_", 4, {state, tensor({32, 97}, "gradient")}, {state}, "", {}, true, 23});
  work.sites.back().bytes = 4 * sample_steps * 2000;
  add_site(work, {"optimizer", "aten::sqrt", 4, {state}, {state}, "", {}, true, 24});
  work.sites.back().bytes = 4 * sample_steps * 1600;
  for (auto* operators : {&sample.portable.operators, &sample.current.counts.operators})
    (*operators)["optimizer"]["aten::sqrt"] = 4 * sample_steps;
  sample.portable.exact["bytes_touched_per_step"] = {8600, 8600, 8600, 8600};
  sample.portable.counts_by_boundary["bytes_touched_per_step"] = {{"optimizer", 4 * 8600}};
  sample.current.counts.per_step["bytes_touched_per_step"] = {15'000, 15'000, 15'000, 15'000};
  sample.current.counts.by_boundary["bytes_touched_per_step"] = {{"optimizer", 4 * 15'000}};
  sample.red("bytes_touched_per_step");
  return sample;
}

TEST(Float64Causes, OfTheOptimizersStateNeedNoFurtherOperator) {
  const auto causes = only_causes(diagnose(wider_state().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "float64-work");
  EXPECT_EQ(causes[0].metric, "bytes_touched_per_step");
  EXPECT_THAT(causes[0].message, HasSubstr("optimizer: 32 x 97 float32 becomes float64 by aten::add_"));
  ASSERT_FALSE(causes[0].sources.empty());
  EXPECT_EQ(causes[0].sources[0].line, 23);
}

TEST(Float64Causes, AreNotClaimedWhereTheStateWasWideBefore) {
  SampleCase sample = wider_state();
  sample.portable.counts_by_boundary["bytes_touched_per_step"] = {{"optimizer", 4 * 14'900}};
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

TEST(Float64Causes, OfATargetInFloat64AreThoseOfItsLoss) {
  SampleCase sample = pattern_sample();
  ObservedWork& work = *sample.current.counts.observed;
  add_site(work, {"forward", "aten::mse_loss", 1, {tensor({32, 97}), float64({32, 97})}, {float64({})}, "", {"1"}});
  work.sites.back().bytes = sample_steps * 1200;
  sample.portable.exact["bytes_touched_per_step"] = {800, 800, 800, 800};
  sample.portable.counts_by_boundary["bytes_touched_per_step"] = {{"forward", 4 * 800}};
  sample.current.counts.per_step["bytes_touched_per_step"] = {1200, 1200, 1200, 1200};
  sample.current.counts.by_boundary["bytes_touched_per_step"] = {{"forward", 4 * 1200}};
  sample.red("bytes_touched_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "float64-work");
  EXPECT_THAT(causes[0].message, HasSubstr("becomes float64 by aten::mse_loss"));
}

/// loss.to(torch::kDouble) for a running sum.
SampleCase cast_of_a_loss(const ObservedTensor& result) {
  SampleCase sample = pattern_sample();
  inject(sample, "logging", {{"aten::to", 1}, {"aten::_to_copy", 1}, {"aten::copy_", 1}, {"aten::empty_strided", 1}});
  add_site(*sample.current.counts.observed,
           {"logging", "aten::_to_copy", 1, {tensor({})}, {result}, "aten::to", {}, false, 23});
  sample.red("operators_per_step");
  return sample;
}

TEST(Float64Causes, AreSaidOfAnExplicitCast) {
  const auto causes = only_causes(diagnose(cast_of_a_loss(float64({})).input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "conversion-added");
  EXPECT_THAT(causes[0].message, HasSubstr("converted or moved by .to(), to float64"));
  EXPECT_THAT(only_causes(diagnose(cast_of_a_loss(tensor({}, "", "bfloat16")).input()))[0].message,
              Not(HasSubstr("float64")));
}

TEST(Float64Causes, AreSaidOfOperatorsThatComputeInIt) {
  SampleCase sample = cast_of_a_loss(float64({}));
  inject(sample, "logging", {{"aten::mul", 1}});
  EXPECT_THAT(explain_operators(sample.input())[0].message, HasSubstr("+1 aten::copy_"));
  EXPECT_THAT(explain_operators(sample.input())[0].message, HasSubstr(" per step, in float64"));
}

}  // namespace
}  // namespace stepgate
