#include "diagnose/work/model_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// One more linear layer: a weight and a bias.
SampleCase with_a_layer() {
  SampleCase sample = trained_sample();
  inject(sample, "forward", {{"aten::linear", 1}, {"aten::t", 1}, {"aten::addmm", 1}, {"aten::transpose", 1}});
  inject(sample, "backward", {{"aten::mm", 2}, {"aten::t", 4}, {"aten::sum", 1}, {"aten::detach", 2}});
  inject(sample, "optimizer", {{"aten::add_", 2}, {"aten::detach_", 2}});
  sample.current.ledger->bytes["parameters"] += 440;
  sample.red("operators_per_step");
  return sample;
}

TEST(ModelSize, ALayerMoreIsNamedByItsParameters) {
  const auto causes = only_causes(diagnose(with_a_layer().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "parameters-added");
  EXPECT_THAT(causes[0].message, HasSubstr("the model has 2 more parameter tensors, +440 B; with it forward"));
  EXPECT_THAT(causes[0].message, HasSubstr("with it forward: +1 aten::addmm"));
}

/// The base ran the step as one call of a package, so none of its gradients was seen.
TEST(ModelSize, GradientsThatTheBaselineDidNotShowAreNoNewParameters) {
  SampleCase sample = with_a_layer();
  sample.current.ledger = sample.portable.ledger = {};
  EXPECT_EQ(explain_model_size(sample.input()).size(), 1U);
  for (const char* boundary : {"backward", "optimizer"}) sample.portable.operators.erase(boundary);
  EXPECT_THAT(explain_model_size(sample.input()), IsEmpty());
}

/// Its weights are drawn otherwise, so the very first loss differs.
TEST(ModelSize, AModelOfOtherSizeTakesTheLossesThatItChanges) {
  SampleCase sample = with_a_layer();
  for (NumericTrace& trace : sample.current.numerics) trace.loss = {4.2, 3.6, 3.2, 2.9};
  sample.red("loss");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "parameters-added");
  EXPECT_THAT(causes[0].message, HasSubstr("the very first loss differs"));
}

TEST(ModelSize, AnOptimizerWithManyMoreCallsIsNoLoop) {
  SampleCase sample = trained_sample();
  sample.portable.operators["optimizer"]["aten::sqrt"] = sample_steps;
  sample.current.counts.operators["optimizer"]["aten::sqrt"] = sample_steps;
  inject(sample, "backward", {{"aten::detach", 20}});
  inject(sample, "optimizer", {{"aten::sqrt", 20}, {"aten::detach_", 20}});
  sample.current.ledger->bytes["parameters"] += 4096;
  sample.red("operators_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "parameters-added");
}

TEST(ModelSize, LargerParametersTakeTheMemoryThatTheyExplain) {
  SampleCase sample = trained_sample();
  sample.current.ledger->bytes["parameters"] += 4096;
  sample.current.bytes["resident_bytes"] = {1024 + 4096};
  sample.current.bytes["peak_allocated_bytes"] = {4096 + 4096};
  for (auto& [boundary, peak] : sample.current.peak_by_boundary) peak += 4096;
  sample.red("peak_allocated_bytes");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "parameters-added");
  EXPECT_THAT(causes[0].message, HasSubstr("the parameters are larger, +4 096 B, in as many tensors as before"));
}

TEST(ModelSize, MemoryBeyondTheParametersStaysACauseOfItsOwn) {
  SampleCase sample = trained_sample();
  sample.current.ledger->bytes["parameters"] += 4096;
  sample.current.bytes["resident_bytes"] = {1 << 20};
  sample.current.bytes["peak_allocated_bytes"] = {1 << 20};
  for (auto& [boundary, peak] : sample.current.peak_by_boundary) peak += (1 << 20) - 4096;
  sample.red("peak_allocated_bytes");
  EXPECT_EQ(only_causes(diagnose(sample.input())).size(), 2U);
}

/// requires_grad_() of a layer that was frozen: its gradients are set and its parameters updated, and it is no larger.
SampleCase with_an_unfrozen_layer() {
  SampleCase sample = trained_sample();
  inject(sample, "backward", {{"aten::mm", 1}, {"aten::sum", 1}, {"aten::detach", 2}});
  inject(sample, "optimizer", {{"aten::add_", 2}, {"aten::detach_", 2}});
  sample.red("operators_per_step");
  sample.portable.exact["autograd_nodes_per_step"] = {7, 7, 7, 7};
  sample.portable.counts_by_boundary["autograd_nodes_per_step"] = {{"forward", 28}};
  sample.current.counts.per_step["autograd_nodes_per_step"] = {9, 9, 9, 9};
  sample.current.counts.by_boundary["autograd_nodes_per_step"] = {{"forward", 36}};
  sample.red("autograd_nodes_per_step");
  return sample;
}

TEST(ModelSize, GradientsOfAnUnfrozenLayerAreNoParametersAndNoEvaluation) {
  EXPECT_THAT(explain_model_size(with_an_unfrozen_layer().input()), IsEmpty());
  const auto causes = only_causes(diagnose(with_an_unfrozen_layer().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("autograd records more nodes: forward +2 per step"));
  EXPECT_THAT(causes[0].message, HasSubstr("backward: +1 aten::sum, +1 aten::mm, +2 aten::detach"));
  EXPECT_THAT(causes[0].advice, HasSubstr("requires_grad_()"));
  EXPECT_THAT(causes[0].advice, testing::Not(HasSubstr("does an evaluation run")));
}

TEST(ModelSize, SaysNothingOfAModelOfTheSameSize) {
  SampleCase same = trained_sample();
  same.red("operators_per_step");
  EXPECT_THAT(explain_model_size(same.input()), IsEmpty());
  SampleCase accumulating = trained_sample();  // zero_grad() is missing: gradients are added to, not set
  inject(accumulating, "backward", {{"aten::detach", -4}, {"aten::add_", 4}});
  inject(accumulating, "optimizer", {{"aten::detach_", -4}});
  accumulating.red("operators_per_step");
  EXPECT_THAT(explain_model_size(accumulating.input()), IsEmpty());
  SampleCase green = with_a_layer();
  green.verdict.status = Status::pass;
  EXPECT_THAT(explain_model_size(green.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
