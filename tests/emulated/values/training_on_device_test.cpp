// Whole training steps have the values of the CPU, and a graph has those of the eager step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <limits>
#include <vector>

#include "stepgate/amp.h"
#include "stepgate/graphed_step.h"

namespace stepgate {
namespace {

constexpr int trained_steps = 10;
constexpr std::int64_t columns_of_net = 32;

/// A net with dropout, and a fused AdamW whose numbers of steps are on the device.
class DeviceTraining {
 public:
  explicit DeviceTraining(const torch::Device& device) {
    torch::manual_seed(11);
    net_ = torch::nn::Sequential(torch::nn::Linear(columns_of_net, 64), torch::nn::GELU(), torch::nn::Dropout(0.2),
                                 torch::nn::Linear(64, 10));
    net_->to(device);
    weights_ = net_->parameters();
    for (const torch::Tensor& weight : weights_) {
      averages_.push_back(torch::zeros_like(weight).detach());
      squares_.push_back(torch::zeros_like(weight).detach());
      counts_.push_back(torch::zeros({}, weight.options().requires_grad(false)));
    }
    torch::manual_seed(12);  // of the masks
  }

  const std::vector<torch::Tensor>& parameters() const { return weights_; }

  torch::Tensor step(const std::vector<torch::Tensor>& inputs) {
    net_->zero_grad();
    const torch::Tensor loss = torch::cross_entropy_loss(net_->forward(inputs[0]), inputs[1]);
    loss.backward();
    const torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> gradients;
    for (const torch::Tensor& weight : weights_) gradients.push_back(weight.grad());
    at::_foreach_add_(counts_, 1);
    at::_fused_adamw_(weights_, gradients, averages_, squares_, {}, counts_, 1e-2, 0.9, 0.999, 0.01, 1e-8,
                      /*amsgrad=*/false, /*maximize=*/false);
    return loss;
  }

 private:
  torch::nn::Sequential net_;
  std::vector<torch::Tensor> weights_;
  std::vector<torch::Tensor> averages_;
  std::vector<torch::Tensor> squares_;
  std::vector<torch::Tensor> counts_;
};

/// Two signatures, one after the other.
std::vector<torch::Tensor> batch_of_step(int step) {
  const std::int64_t rows = step % 2 == 0 ? 16 : 8;
  const torch::Tensor numbers = torch::arange(rows * columns_of_net, torch::kFloat).view({rows, columns_of_net});
  return {torch::sin(numbers * (step + 1)).to(torch::kCUDA),
          (torch::arange(rows, torch::kLong) + step).remainder(10).to(torch::kCUDA)};
}

TEST(TrainingOnDevice, AGraphHasTheLossesOfTheEagerStepToTheBit) {
  std::vector<float> eager, replayed;
  {
    DeviceTraining training(torch::kCUDA);
    for (int step = 0; step < trained_steps; ++step) {
      eager.push_back(training.step(batch_of_step(step)).item<float>());
    }
  }
  DeviceTraining training(torch::kCUDA);
  GraphedStep graphed([&](const std::vector<torch::Tensor>& inputs) { return training.step(inputs); },
                      {.warm_up = 1, .parameters = training.parameters()});
  for (int step = 0; step < trained_steps; ++step) replayed.push_back(graphed(batch_of_step(step)).item<float>());
  EXPECT_EQ(graphed.facts().captures, 2);
  EXPECT_EQ(replayed, eager);
  EXPECT_NE(eager.front(), eager.back());
}

struct ScaledRun {
  std::vector<float> weights;
  std::vector<double> scales;
  std::vector<bool> updated;
  std::int64_t skipped = 0;
};

/// The third gradient overflows, so its update is skipped and the scale halves; it grows after two good steps.
ScaledRun scaled_run(const torch::Device& device) {
  torch::Tensor weight = torch::linspace(1, 2, 5).to(device).requires_grad_(true);
  torch::optim::SGD optimizer({weight}, torch::optim::SGDOptions(0.125));
  GradScaler scaler({.init_scale = 1024, .growth_interval = 2});
  ScaledRun run;
  for (const float slope : {0.5F, 0.25F, std::numeric_limits<float>::infinity(), 0.75F, 0.5F, 1.0F}) {
    scaler.scale((weight * slope).sum()).backward();
    run.updated.push_back(scaler.step(optimizer));
    scaler.update();
    optimizer.zero_grad();
    run.scales.push_back(scaler.get_scale());
    run.weights.push_back(weight[1].item<float>());
  }
  run.skipped = scaler.skipped_steps();
  return run;
}

TEST(TrainingOnDevice, AScalerSkipsAndScalesAsOnTheCpu) {
  const ScaledRun expected = scaled_run(torch::kCPU);
  const ScaledRun found = scaled_run(torch::kCUDA);
  EXPECT_THAT(expected.updated, testing::ElementsAre(true, true, false, true, true, true));
  EXPECT_EQ(found.updated, expected.updated);
  EXPECT_EQ(found.scales, expected.scales);
  EXPECT_EQ(found.weights, expected.weights);
  EXPECT_EQ(found.skipped, 1);
}

}  // namespace
}  // namespace stepgate
