#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SampleCase with_zero_grad_false() {
  SampleCase sample = trained_sample();
  inject(sample, "optimizer", {{"aten::zero_", 4}});
  inject(sample, "backward", {{"aten::detach", -4}, {"aten::add_", 4}});
  sample.red("operators_per_step");
  return sample;
}

TEST(ZeroedGradients, InPlaceAreNamedWithWhatBackwardAdds) {
  const auto causes = only_causes(diagnose(with_zero_grad_false().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "gradients-zeroed");
  EXPECT_THAT(causes[0].message, HasSubstr("optimizer: zero_grad(false) sets 4 gradients to zero in place"));
  EXPECT_THAT(causes[0].message, HasSubstr("backward: +4 aten::add_ per step; instead of 4 aten::detach"));
}

TEST(ZeroedGradients, TakeTheMemoryOfGradientsThatStay) {
  SampleCase sample = with_zero_grad_false();
  sample.current.bytes["resident_bytes"] = {2048};  // the parameters have 1 024 B
  sample.red("peak_allocated_bytes");
  sample.current.bytes["peak_allocated_bytes"] = {5120};
  for (auto& [boundary, peak] : sample.current.peak_by_boundary) peak += 1024;
  EXPECT_EQ(only_causes(diagnose(sample.input())).size(), 1U);
  sample.current.bytes["resident_bytes"] = {1 << 20};
  EXPECT_EQ(only_causes(diagnose(sample.input())).size(), 2U) << "more than gradients is kept";
}

TEST(ZeroedGradients, AreNotSeenInAMissingZeroGradOrAnotherFill) {
  SampleCase missing = trained_sample();
  inject(missing, "backward", {{"aten::detach", -4}, {"aten::add_", 4}});
  inject(missing, "optimizer", {{"aten::detach_", -4}});
  missing.red("operators_per_step");
  EXPECT_THAT(explain_zeroed_gradients(missing.input()), IsEmpty());
  SampleCase fill = trained_sample();
  inject(fill, "optimizer", {{"aten::zero_", 4}});
  fill.red("operators_per_step");
  EXPECT_THAT(explain_zeroed_gradients(fill.input()), IsEmpty());
  SampleCase green = with_zero_grad_false();
  green.verdict.status = Status::pass;
  EXPECT_THAT(explain_zeroed_gradients(green.input()), IsEmpty());
}

/// The backward of a penalty, within forward: it sets the gradients, and the step's own backward adds to them.
TEST(ZeroedGradients, AreNotSeenInABackwardWithinForward) {
  SampleCase within = trained_sample();
  inject(within, "forward", {{"aten::zero_", 4}, {"aten::detach", 4}, {"aten::mm", 2}});
  inject(within, "backward", {{"aten::detach", -4}, {"aten::add_", 4}});
  within.red("operators_per_step");
  EXPECT_THAT(explain_zeroed_gradients(within.input()), IsEmpty());
}

TEST(ZeroedGradients, AreToldFromOtherTensorsWhereTheObserverKnowsGradients) {
  SampleCase sample = with_zero_grad_false();
  sample.current.counts.observed = observed_step();
  ObservedWork& work = *sample.current.counts.observed;
  add_site(work, {"optimizer", "aten::zero_", 4, {tensor({32, 97}, "aten::empty")}, {tensor({32, 97})}});
  EXPECT_THAT(explain_zeroed_gradients(sample.input()), IsEmpty());
  work.sites.back().inputs[0].from = "gradient";
  EXPECT_EQ(explain_zeroed_gradients(sample.input()).size(), 1U);
}

}  // namespace
}  // namespace stepgate
