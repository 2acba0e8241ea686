#include "diagnose/patterns/count_explained.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/pattern_sample.h"

namespace stepgate {
namespace {

constexpr double no_amount = 0;

StepAmounts language_step() {
  return {.samples = 8, .positions = 54.5, .parameter_tensors = 28, .layers = 2, .logits = {8, 64, 97}};
}

TEST(CountExplained, NamesTheAmountWithTheSmallestMultiple) {
  const StepAmounts amounts = language_step();
  EXPECT_EQ(count_explained(54.5, "forward", amounts).text, "once per token");
  EXPECT_EQ(count_explained(109, "forward", amounts).text, "twice per token");
  EXPECT_EQ(count_explained(436, "forward", amounts).text, "once per token of each sample");
  EXPECT_EQ(count_explained(8, "forward", amounts).text, "once per sample");
  EXPECT_EQ(count_explained(28, "backward", amounts).text, "once per parameter tensor");
  EXPECT_EQ(count_explained(140, "optimizer", amounts).text, "5 per parameter tensor");
  EXPECT_EQ(count_explained(6, "forward", amounts).text, "3 per layer");
}

TEST(CountExplained, SaysWhichCallsABatchWouldSave) {
  const StepAmounts amounts = language_step();
  EXPECT_TRUE(count_explained(54.5, "forward", amounts).per_item);
  EXPECT_FALSE(count_explained(28, "forward", amounts).per_item);
  EXPECT_EQ(count_explained(8, "optimizer", amounts).text, "") << "an optimizer sees no samples";
}

TEST(CountExplained, IsSilentWhereNothingFits) {
  const StepAmounts amounts = language_step();
  EXPECT_EQ(count_explained(55, "forward", amounts).text, "");
  EXPECT_EQ(count_explained(2, "forward", amounts).text, "") << "any number fits so few calls";
  EXPECT_EQ(count_explained(140, "forward", amounts).text, "") << "too large a multiple outside the optimizer";
  EXPECT_EQ(count_explained(16, "forward", StepAmounts{}).text, "");
}

TEST(CountExplained, KnowsTheSizeOfTheLogits) {
  EXPECT_EQ(size_explained(tensor({512, 97}), language_step()), "194.0 KiB = size of the logits");
  EXPECT_EQ(size_explained(tensor({512, 96}), language_step()), "192.0 KiB");
  EXPECT_EQ(size_explained(tensor({512, 0}), language_step()), "");
}

TEST(StepAmounts, AreReadFromOperands) {
  const StepAmounts amounts = step_amounts(observed_step());
  EXPECT_EQ(amounts.samples, 2);
  EXPECT_EQ(amounts.positions, 16);
  EXPECT_EQ(amounts.parameter_tensors, 4);
  EXPECT_THAT(amounts.logits, testing::ElementsAre(2, 16, 97));
}

TEST(StepAmounts, FollowStepsOfOtherLengths) {
  ObservedWork work = observed_step();
  add_site(
      work,
      {.boundary = "forward", .name = "aten::gelu", .inputs = {tensor({2, 16, 32})}, .outputs = {tensor({2, 16, 32})}});
  const std::int64_t bytes_of_first = 2 * (2 * 16 * 32) * 4;
  work.sites.back().bytes = bytes_of_first * sample_steps * 3 / 4;  // the mean step has 12 tokens a sample
  EXPECT_EQ(step_amounts(work).positions, 12);
  work.sites.back().inputs[0].sizes = {2, 16, 1};  // broadcast: its bytes do not follow the tokens
  EXPECT_EQ(step_amounts(work).positions, 16);
}

TEST(StepAmounts, AreMeansOfSitesSortedByShape) {
  ObservedWork work = observed_step();
  work.by_shape = true;
  add_site(
      work,
      {.boundary = "forward", .name = "aten::embedding", .inputs = {tensor({97, 32}), tensor({2, 8}, "", "int64")}});
  EXPECT_EQ(step_amounts(work).positions, 12);
  EXPECT_EQ(step_amounts(work).samples, 2);
}

TEST(StepAmounts, AreUnknownWithoutTokensOrImages) {
  const StepAmounts amounts = step_amounts(ObservedWork{.steps = 4});
  EXPECT_EQ(amounts.samples, no_amount);
  EXPECT_EQ(amounts.parameter_tensors, no_amount);
  EXPECT_TRUE(amounts.logits.empty());
}

}  // namespace
}  // namespace stepgate
