#include "language/char_lm_parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perftests/two_ranks.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

CharLmParallelSize small(std::int64_t micro_steps = 1) {
  CharLmParallelSize size;
  size.model = {.layers = 1, .heads = 2, .width = 16, .batch = {.batch_size = 8, .max_length = 64, .bucket_width = 16}};
  size.exchange.bucket_bytes = 4096;
  size.micro_steps = micro_steps;
  return size;
}

std::unique_ptr<CharLmParallel> new_parallel(const CaseContext& context, const CharLmParallelSize& size) {
  torch::manual_seed(3);  // as the harness does before it calls a factory
  const RankGroup group = context.ranks > 1 ? join_ranks(context) : RankGroup();
  return std::make_unique<CharLmParallel>(context, size, synthetic_sources(), group);
}

/// The loss, then all gradients, of the step after `steps` whole ones.
template <typename Workload>
std::vector<double> loss_and_gradients(Workload& workload, int steps = 1) {
  for (int step = 0; step < steps; ++step) {
    workload.backward(workload.forward(workload.next_batch()));
    workload.optimizer_step();
  }
  const auto loss = workload.forward(workload.next_batch());
  workload.backward(loss);
  std::vector<double> values = {loss.template item<double>()};
  for (const torch::Tensor& parameter : workload.parameters()) {
    const auto flat = parameter.grad().flatten().to(torch::kFloat64).contiguous();
    const double* data = flat.template const_data_ptr<double>();
    values.insert(values.end(), data, data + flat.numel());
  }
  return values;
}

std::vector<double> alone(const CharLmParallelSize& size) {
  torch::set_num_threads(1);
  const auto workload = new_parallel({}, size);
  return loss_and_gradients(*workload);
}

std::array<RankResult, 2> together(const CharLmParallelSize& size) {
  auto results = on_two_ranks([&](const CaseContext& context) {
    const auto workload = new_parallel(context, size);
    return loss_and_gradients(*workload);
  });
  for (const RankResult& rank : results) EXPECT_EQ(rank.failure, "");
  return results;
}

/// Relative to the largest value: sums in another order differ in the last bits of their largest terms.
double largest_difference(const std::vector<double>& one, const std::vector<double>& other) {
  double largest = one.size() == other.size() && one.size() > 1 ? 0 : 1;
  double scale = 0;
  for (std::size_t i = 1; i < std::min(one.size(), other.size()); ++i) {
    largest = std::max(largest, std::abs(one[i] - other[i]));
    scale = std::max(scale, std::abs(one[i]));
  }
  return largest / scale;
}

// float32 has a precision of 6e-8; sums over some hundred tokens in another order lose one or two digits.
constexpr double rounding = 1e-5;

TEST(CharLmParallel, AloneIsCharLm) {
  torch::set_num_threads(1);
  torch::manual_seed(3);
  CharLm plain({}, small().model, synthetic_sources());
  const auto expected = loss_and_gradients(plain);
  const auto found = alone(small());
  EXPECT_NEAR(found.front(), expected.front(), 1e-5);
  EXPECT_LT(largest_difference(expected, found), rounding);
}

TEST(CharLmParallel, TwoRanksGiveTheGradientOfTheWholeBatch) {
  const auto expected = alone(small());
  const auto ranks = together(small());
  EXPECT_LT(largest_difference(expected, ranks[0].values), rounding);
  EXPECT_NEAR((ranks[0].values.front() + ranks[1].values.front()) / 2, expected.front(), 1e-5);
  EXPECT_NE(ranks[0].values.front(), ranks[1].values.front());  // each rank has its own rows
}

TEST(CharLmParallel, RanksAgreeInEveryBit) {
  auto ranks = together(small());
  for (RankResult& rank : ranks) rank.values.erase(rank.values.begin());  // each rank has its own loss
  EXPECT_EQ(ranks[0].values, ranks[1].values);
}

TEST(CharLmParallel, AccumulationEqualsTheLargerBatch) {
  const auto expected = alone(small());
  EXPECT_LT(largest_difference(expected, alone(small(4))), rounding);
  EXPECT_LT(largest_difference(expected, together(small(2))[1].values), rounding);
}

TEST(CharLmParallel, SynchronisingEachMicroStepChangesNoGradient) {
  const auto expected = alone(small());
  CharLmParallelSize size = small(2);
  size.sync_each = true;
  EXPECT_LT(largest_difference(expected, together(size)[0].values), rounding);
}

TEST(CharLmParallel, OverlapChangesNoBit) {
  CharLmParallelSize after = small();
  after.exchange.overlap = false;
  EXPECT_EQ(together(small())[0].values, together(after)[0].values);
}

TEST(CharLmParallel, TellsOfItsExchangeOnlyWhereThereIsOne) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const auto workload = new_parallel(context, small());
    const bool before = workload->communication().has_value();
    loss_and_gradients(*workload);
    const Communication after = workload->communication().value();
    return std::vector<double>{before ? 1.0 : 0.0, after.allreduce_ns > 0 ? 1.0 : 0.0,
                               after.wait_ns <= after.allreduce_ns ? 1.0 : 0.0};
  });
  EXPECT_EQ(ranks[0].values, (std::vector<double>{0, 1, 1})) << ranks[0].failure;
  const auto workload = new_parallel({}, small());
  loss_and_gradients(*workload);
  EXPECT_FALSE(workload->communication().has_value());
}

TEST(CharLmParallel, WithoutItsExchangeARankKeepsItsOwnGradients) {
  const auto gradients = [](bool exchanges) {
    auto ranks = on_two_ranks([exchanges](const CaseContext& context) {
      const auto workload = new_parallel(context, small());
      workload->set_exchange(false);
      if (exchanges) workload->set_exchange(true);
      return loss_and_gradients(*workload);
    });
    for (RankResult& rank : ranks) rank.values.erase(rank.values.begin());  // each rank has its own loss
    return std::pair(ranks[0].values, ranks[1].values);
  };
  const auto alone = gradients(false);
  EXPECT_FALSE(alone.first.empty());
  EXPECT_NE(alone.first, alone.second);
  const auto exchanged = gradients(true);
  EXPECT_EQ(exchanged.first, exchanged.second);
}

TEST(CharLmParallel, CountsItsOwnRows) {
  const Batch whole = new_parallel({}, small())->next_batch();
  CaseContext second;
  second.rank = 1;
  second.ranks = 2;
  // Needs no connected ranks: the data of a rank depends only on its number.
  torch::manual_seed(3);
  const Batch half = CharLmParallel(second, small(2), synthetic_sources(), {}).next_batch();
  EXPECT_EQ(half.samples, 4);
  ASSERT_EQ(half.tensors.size(), 4U);
  EXPECT_TRUE(torch::equal(half.tensors[0], whole.tensors[0].slice(0, 4, 6)));
  EXPECT_TRUE(torch::equal(half.tensors[3], whole.tensors[1].slice(0, 6, 8)));
}

TEST(CharLmParallel, SaysWhichParameterIsWrong) {
  const auto complaint = [](const std::map<std::string, std::string>& params) {
    try {
      rows_per_micro_step(with_params(tiny_char_lm_parallel(), params), 2);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_THAT(complaint({{"overlap", "2"}}), HasSubstr("parameter overlap must be a whole number from 0 to 1"));
  EXPECT_THAT(complaint({{"micro_step", "2"}}), HasSubstr("no parameter is named micro_step; known: layers"));
  EXPECT_THAT(complaint({{"micro_steps", "3"}}),
              HasSubstr("batch_size 8 is no multiple of ranks 2 times micro_steps 3"));
  EXPECT_EQ(complaint({{"micro_steps", "2"}, {"sync_each", "1"}, {"width", "32"}}), "nothing was thrown");
  EXPECT_EQ(params_of(with_params(tiny_char_lm_parallel(), {{"sync_each", "1"}})).at("sync_each"), "1");
}

}  // namespace
}  // namespace stepgate
