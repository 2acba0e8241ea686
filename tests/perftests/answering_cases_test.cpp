// The two cases that answer requests, over text and images that need no download.
#include <gtest/gtest.h>

#include <stdexcept>

#include "language/char_generator.h"
#include "perftests/data_folder.h"
#include "perftests/sample_digits.h"
#include "vision/digits_classifier.h"

namespace stepgate {
namespace {

CaseContext seeded(std::uint64_t seed = 3) {
  torch::set_num_threads(1);
  torch::manual_seed(seed);  // as the harness does before it calls a factory
  CaseContext context;
  context.seed = seed;
  context.synchronous_loader = true;
  return context;
}

CharGenerator generator(std::uint64_t seed = 3) {
  return {seeded(seed), with_params(tiny_char_generator(), {{"batch_size", "2"}}), synthetic_sources()};
}

TEST(CharGenerator, GoesOnWithItsPrompts) {
  CharGenerator workload = generator();
  const Batch batch = workload.next_batch();
  ASSERT_EQ(batch.tensors.size(), 1U);
  EXPECT_EQ(batch.tensors[0].sizes(), (std::vector<std::int64_t>{2, 16}));
  EXPECT_EQ(batch.samples, 2);
  EXPECT_EQ(batch.effective_tokens, 16);
  EXPECT_GT(batch.flops, 0);
  workload.tokens().begin();
  const torch::Tensor answer = workload.infer(batch);
  EXPECT_EQ(answer.sizes(), (std::vector<std::int64_t>{2, 24}));
  EXPECT_TRUE(answer.narrow(1, 0, 16).equal(batch.tensors[0])) << "the prompt stays";
  EXPECT_FALSE(answer.requires_grad());
  EXPECT_EQ(workload.tokens().tokens(), 8);
  workload.post(answer);
  ASSERT_EQ(workload.texts().size(), 2U);
  EXPECT_EQ(workload.texts()[0].size(), 8U);
}

TEST(CharGenerator, GivesEqualAnswersForEqualSeeds) {
  const auto second_answer = [](std::uint64_t seed) {
    CharGenerator workload = generator(seed);
    workload.next_batch();
    return workload.infer(workload.next_batch());
  };
  EXPECT_TRUE(second_answer(3).equal(second_answer(3)));
  EXPECT_FALSE(second_answer(3).equal(second_answer(4)));
}

TEST(CharGenerator, RefusesASizeThatCannotBe) {
  EXPECT_THROW(with_params(tiny_char_generator(), {{"width", "63"}}), std::invalid_argument);
  EXPECT_THROW(with_params(tiny_char_generator(), {{"max_length", "64"}}), std::invalid_argument);
  EXPECT_EQ(with_params(tiny_char_generator(), {{"new_tokens", "4"}}).model.batch.max_length, 20);
}

TEST(DigitsClassifier, SaysADigitForEachImage) {
  const DataFolder folder;
  DigitsClassifier workload(seeded(), tiny_digits_classifier(), painted_data(folder));
  const Batch batch = workload.next_batch();
  ASSERT_EQ(batch.tensors.size(), 1U) << "a request has no labels";
  EXPECT_EQ(batch.samples, 8);
  const torch::Tensor answer = workload.infer(batch);
  EXPECT_EQ(answer.sizes(), (std::vector<std::int64_t>{8, 10}));
  EXPECT_FALSE(answer.requires_grad());
  workload.post(answer);
  EXPECT_EQ(workload.labels().numel(), 8);
}

TEST(AnsweringCases, ComputeInEvalMode) {
  EXPECT_TRUE(generator().training_modules().empty());
  const DataFolder folder;
  const DigitsClassifier classifier(seeded(), tiny_digits_classifier(), painted_data(folder));
  EXPECT_TRUE(classifier.training_modules().empty());
}

}  // namespace
}  // namespace stepgate
