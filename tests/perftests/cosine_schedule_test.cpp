#include "support/cosine_schedule.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate {
namespace {

TEST(CosineSchedule, RisesOverTheWarmUpAndFallsToItsLeast) {
  const CosineSchedule schedule{.peak = 4, .least = 1, .warmup_updates = 3, .total_updates = 7};
  EXPECT_DOUBLE_EQ(scheduled_rate(schedule, 0), 1);
  EXPECT_DOUBLE_EQ(scheduled_rate(schedule, 2), 3);
  EXPECT_DOUBLE_EQ(scheduled_rate(schedule, 3), 4);
  EXPECT_DOUBLE_EQ(scheduled_rate(schedule, 5), 2.5) << "half of the decay";
  EXPECT_DOUBLE_EQ(scheduled_rate(schedule, 7), 1);
  EXPECT_DOUBLE_EQ(scheduled_rate(schedule, 700), 1);
  EXPECT_GT(scheduled_rate(schedule, 4), scheduled_rate(schedule, 5));
}

TEST(CosineSchedule, NeedsADecay) {
  EXPECT_THROW(scheduled_rate({.warmup_updates = 3, .total_updates = 3}, 0), std::invalid_argument);
}

TEST(CosineSchedule, SetsTheRateOfEveryGroup) {
  const auto options = [] { return std::make_unique<torch::optim::AdamWOptions>(0.5); };
  torch::optim::AdamW optimizer(
      std::vector<torch::optim::OptimizerParamGroup>{{{torch::ones({2}, torch::requires_grad())}, options()},
                                                     {{torch::ones({3}, torch::requires_grad())}, options()}});
  set_learning_rate(optimizer, 0.25);
  for (const auto& group : optimizer.param_groups()) EXPECT_DOUBLE_EQ(group.options().get_lr(), 0.25);
}

}  // namespace
}  // namespace stepgate
