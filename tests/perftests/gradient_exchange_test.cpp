#include "support/gradient_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "perftests/two_ranks.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

torch::Tensor parameter(std::int64_t elements, double value = 1) {
  return torch::full({elements}, value, torch::TensorOptions().requires_grad(true));
}

std::vector<double> gradients_of(const std::vector<torch::Tensor>& parameters) {
  std::vector<double> values;
  for (const torch::Tensor& one : parameters) values.push_back(one.grad().sum().item<double>());
  return values;
}

TEST(GradientExchange, AveragesOverTheRanks) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(3), parameter(2)};
    GradientExchange exchange(weights, join_ranks(context), {});
    exchange.begin();
    ((weights[0].sum() + 10 * weights[1].sum()) * static_cast<double>(1 + context.rank)).backward();
    exchange.finish();
    return gradients_of(weights);
  });
  for (const RankResult& rank : ranks) EXPECT_EQ(rank.values, (std::vector<double>{4.5, 30})) << rank.failure;
}

TEST(GradientExchange, TakesAParameterWithoutGradientAsZero) {
  // Rank 1 does not use the second weight, whose bucket is the first to be sent.
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(1), parameter(1)};
    GradientExchange exchange(weights, join_ranks(context), {.bucket_bytes = 1});
    for (int step = 0; step < 2; ++step) {
      for (const torch::Tensor& weight : weights) weight.mutable_grad() = torch::Tensor();
      exchange.begin();
      (context.rank == 0 ? weights[0].sum() + 6 * weights[1].sum() : 3 * weights[0].sum()).backward();
      exchange.finish();
    }
    return gradients_of(weights);
  });
  for (const RankResult& rank : ranks) EXPECT_EQ(rank.values, (std::vector<double>{2, 3})) << rank.failure;
}

TEST(GradientExchange, OnlyAccumulatesOutsideOfAnExchange) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(1)};
    GradientExchange exchange(weights, join_ranks(context), {});
    (weights[0].sum() * static_cast<double>(context.rank)).backward();
    const double accumulated = gradients_of(weights)[0];
    exchange.begin();
    weights[0].sum().backward();
    exchange.finish();
    return std::vector<double>{accumulated, gradients_of(weights)[0]};
  });
  EXPECT_EQ(ranks[0].values, (std::vector<double>{0, 1.5})) << ranks[0].failure;
  EXPECT_EQ(ranks[1].values, (std::vector<double>{1, 1.5})) << ranks[1].failure;
}

TEST(GradientExchange, AddsUpTheExchangesOfAStep) {
  // A late rank makes each exchange take about its delay, less what the other rank is late on a busy machine; two
  // exchanges in one step take twice as long.
  constexpr auto late = 100ms;
  const auto ranks = on_two_ranks([late](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(1)};
    GradientExchange exchange(weights, join_ranks(context), {});
    std::vector<double> times;
    for (const int passes : {2, 1}) {
      exchange.new_step();
      for (int pass = 0; pass < passes; ++pass) {
        if (context.rank == 1) std::this_thread::sleep_for(late);
        exchange.begin();
        weights[0].sum().backward();
        exchange.finish();
      }
      times.push_back(static_cast<double>(exchange.last()->allreduce_ns));
      times.push_back(static_cast<double>(exchange.last()->wait_ns));
    }
    return times;
  });
  const std::vector<double>& waiting = ranks[0].values;
  ASSERT_EQ(waiting.size(), 4U) << ranks[0].failure;
  const auto one = static_cast<double>(std::chrono::nanoseconds(late).count());
  EXPECT_GE(waiting[0], 1.5 * one);
  EXPECT_GE(waiting[1], 1.5 * one);
  EXPECT_GE(waiting[2], 0.5 * one);
  EXPECT_LE(waiting[3], waiting[2]);
}

TEST(GradientExchange, FillsBucketsUpToTheirSize) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(4), parameter(100), parameter(2), parameter(2)};
    const RankGroup group = join_ranks(context);
    std::vector<double> buckets;
    for (const std::int64_t bytes : {1, 16, 1 << 20}) {
      buckets.push_back(static_cast<double>(GradientExchange(weights, group, {.bucket_bytes = bytes}).buckets()));
    }
    return buckets;
  });
  EXPECT_EQ(ranks[0].values, (std::vector<double>{4, 3, 1})) << ranks[0].failure;
}

TEST(GradientExchange, LetsGoOfItsParameters) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(1)};
    { const GradientExchange gone(weights, join_ranks(context), {}); }
    (weights[0].sum() * 2.0).backward();
    return gradients_of(weights);
  });
  EXPECT_EQ(ranks[0].values, (std::vector<double>{2})) << ranks[0].failure;
}

TEST(GradientExchange, RefusesRanksWithOtherWeights) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(1), parameter(1, context.rank == 0 ? 1 : 2)};
    const GradientExchange exchange(weights, join_ranks(context), {});
    return std::vector<double>{};
  });
  EXPECT_THAT(ranks[1].failure, HasSubstr("the ranks start from different weights: parameter 1 of rank 1"));
}

TEST(GradientExchange, SaysThatARankIsGone) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    const std::vector<torch::Tensor> weights = {parameter(1)};
    GradientExchange exchange(weights, join_ranks(context), {});
    if (context.rank == 1) return std::vector<double>{};
    exchange.begin();
    weights[0].sum().backward();
    exchange.finish();
    return std::vector<double>{1};
  });
  EXPECT_THAT(ranks[0].failure, HasSubstr("an exchange with the other ranks failed (did one of them end, or hang?)"));
}

TEST(GradientExchange, GivesUpOnARankThatNeverComes) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    if (context.rank == 0) join_ranks(context, {.meeting = 300ms});
    return std::vector<double>{};
  });
  EXPECT_THAT(ranks[0].failure, HasSubstr("rank 0 could not meet the other 1"));
}

}  // namespace
}  // namespace stepgate
