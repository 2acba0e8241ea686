#include "support/fused_adamw.h"

#include <gtest/gtest.h>

#include <limits>

#include "language/char_lm.h"

namespace stepgate {
namespace {

/// Losses of a small regression, in which one tensor takes part from the third step on.
template <typename Optimizer>
std::vector<double> losses(int steps) {
  torch::manual_seed(3);
  const torch::Tensor in = torch::randn({32, 8});
  const torch::Tensor wanted = torch::randn({32, 4});
  std::vector<torch::Tensor> parameters = {torch::randn({8, 16}, torch::requires_grad()),
                                           torch::randn({16, 4}, torch::requires_grad()),
                                           torch::zeros({4}, torch::requires_grad())};
  Optimizer optimizer(parameters, torch::optim::AdamWOptions(1e-2).weight_decay(0.1));
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    torch::Tensor out = in.mm(parameters[0]).tanh().mm(parameters[1]);
    if (step >= 2) out = out + parameters[2];
    const torch::Tensor loss = (out - wanted).square().mean();
    losses.push_back(loss.item<double>());
    loss.backward();
    optimizer.step();
    for (torch::Tensor& parameter : parameters) parameter.mutable_grad().reset();
  }
  return losses;
}

TEST(FusedAdamW, LearnsAsAdamWDoes) {
  const auto single = losses<torch::optim::AdamW>(30);
  const auto fused = losses<FusedAdamW>(30);
  for (std::size_t i = 0; i < single.size(); ++i) EXPECT_NEAR(fused[i], single[i], 1e-5 * single[i]) << "step " << i;
  EXPECT_LT(single.back(), 0.8 * single.front());
}

/// Losses of a line that is trained with loss scaling, with an overflow in step 3 where `overflows`.
std::vector<double> scaled_losses(bool overflows) {
  const torch::Tensor weight = torch::ones({4}, torch::requires_grad());
  FusedAdamW optimizer({weight}, torch::optim::AdamWOptions(0.1));
  GradScaler scaler;
  std::vector<double> found;
  for (int step = 0; step < 8; ++step) {
    if (overflows && step == 3) {
      scaler.scale((weight * std::numeric_limits<float>::infinity()).sum()).backward();
      scaler.step_fused(optimizer);
      scaler.update();
      weight.mutable_grad().reset();
    }
    const torch::Tensor loss = weight.square().sum();
    found.push_back(loss.item<double>());
    scaler.scale(loss).backward();
    scaler.step_fused(optimizer);
    scaler.update();
    weight.mutable_grad().reset();
  }
  EXPECT_EQ(scaler.skipped_steps(), overflows ? 1 : 0);
  return found;
}

TEST(FusedAdamW, AnOverflowedStepLeavesNoTrace) {
  EXPECT_EQ(scaled_losses(true), scaled_losses(false));
  EXPECT_LT(scaled_losses(true).back(), scaled_losses(true).front());
}

TEST(FusedAdamW, IsAParameterOfTheCase) {
  std::map<std::string, std::string> params = {{"optimizer", "fused"}, {"layers", "2"}};
  EXPECT_EQ(take_optimizer(params), CharLmOptimizer::fused);
  EXPECT_EQ(params, (std::map<std::string, std::string>{{"layers", "2"}}));
  EXPECT_EQ(take_optimizer(params), CharLmOptimizer::adamw);
  params["optimizer"] = "sgd";
  EXPECT_THROW(take_optimizer(params), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
