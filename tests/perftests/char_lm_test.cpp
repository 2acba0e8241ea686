#include "language/char_lm.h"

#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

std::unique_ptr<CharLm> new_char_lm(std::uint64_t seed = 3) {
  torch::set_num_threads(1);
  torch::manual_seed(seed);  // as the harness does before it calls a factory
  CaseContext context;
  context.seed = seed;
  return std::make_unique<CharLm>(context, tiny_char_lm(), synthetic_sources());
}

torch::Tensor train_one_step(Workload& workload, std::int64_t step) {
  const Batch batch = workload.next_batch();
  auto loss = workload.forward(batch);
  workload.backward(loss);
  workload.optimizer_step();
  workload.log_step(step, loss);
  return loss.detach();
}

std::vector<double> losses_of(Workload& workload, std::int64_t steps) {
  std::vector<double> losses;
  for (std::int64_t step = 0; step < steps; ++step) losses.push_back(train_one_step(workload, step).item<double>());
  return losses;
}

TEST(CharLm, StartsNearAUniformGuessAndLearns) {
  const auto workload = new_char_lm();
  const auto losses = losses_of(*workload, 60);
  EXPECT_NEAR(losses.front(), std::log(static_cast<double>(vocabulary_size)), 0.2);
  // Seen: 1.1 after 60 steps; a model that learns nothing stays at 4.6.
  EXPECT_LT(losses.back(), 2.0);
}

TEST(CharLm, TwoBuildsWithOneSeedAgreeInEveryBit) {
  const auto one = new_char_lm();
  const auto first = losses_of(*one, 12);
  const auto two = new_char_lm();
  EXPECT_EQ(first, losses_of(*two, 12));
  for (std::size_t i = 0; i < one->parameters().size(); ++i) {
    EXPECT_TRUE(torch::equal(one->parameters()[i], two->parameters()[i])) << "parameter " << i;
  }
  EXPECT_NE(first, losses_of(*new_char_lm(4), 12));
}

TEST(CharLm, AStepNeverMakesTheHostWait) {
  static std::atomic<int> waits;
  waits = 0;
  const auto workload = new_char_lm();
  const auto handle = at::addGlobalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
        if (std::string_view(function.name()) == "aten::_local_scalar_dense") ++waits;
        return nullptr;
      }).scopes({at::RecordScope::FUNCTION}));
  for (std::int64_t step = 0; step < 6; ++step) train_one_step(*workload, step);
  const int in_training = waits;
  static_cast<void>(torch::ones({}).item<float>());
  const int with_one_item = waits;
  at::removeCallback(handle);
  EXPECT_EQ(in_training, 0);
  EXPECT_EQ(with_one_item, 1) << "the count itself";
}

TEST(CharLm, BatchesSayWhatTheyCountFor) {
  const auto workload = new_char_lm();
  std::set<std::int64_t> lengths;
  for (int step = 0; step < 10; ++step) {
    const Batch batch = workload->next_batch();
    ASSERT_EQ(batch.tensors.size(), 2U);
    lengths.insert(batch.tensors[0].size(1));
    EXPECT_EQ(batch.samples, batch.tensors[0].size(0));
    EXPECT_EQ(batch.padded_tokens, batch.tensors[0].numel());
    EXPECT_EQ(batch.effective_tokens, batch.tensors[1].ne(ignored_target).sum().item<std::int64_t>());
  }
  EXPECT_EQ(lengths, (std::set<std::int64_t>{32, 48, 64}));
}

TEST(CharLm, PaddingCarriesNoLoss) {
  const auto workload = new_char_lm();
  Batch batch;
  do {
    batch = workload->next_batch();
  } while (batch.effective_tokens == batch.padded_tokens);
  const double loss = workload->forward(batch).item<double>();
  auto inputs = batch.tensors[0].clone();
  inputs.masked_fill_(batch.tensors[0].eq(padding_symbol), 7);
  Batch other = batch;
  other.tensors[0] = inputs;
  EXPECT_NEAR(workload->forward(other).item<double>(), loss, 1e-5);
}

TEST(CharLm, NamesTheDataItLearns) { EXPECT_EQ(new_char_lm()->data_digest(), "synthetic"); }

TEST(CharLm, FactoriesNeedTheTrainingData) {
  const DataFolder empty;
  CaseContext context;
  context.data_dir = empty.path();
  EXPECT_THROW(make_tiny_char_lm(context), DataError);
}

}  // namespace
}  // namespace stepgate
