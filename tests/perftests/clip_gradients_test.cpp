#include "support/clip_gradients.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

std::vector<torch::Tensor> parameters_with_gradients(double scale) {
  torch::manual_seed(5);
  std::vector<torch::Tensor> parameters;
  for (const std::int64_t size : {3, 40, 500}) {
    parameters.push_back(torch::zeros({size, 2}, torch::requires_grad()));
    parameters.back().mutable_grad() = torch::randn({size, 2}) * scale;
  }
  parameters.push_back(torch::zeros({4}, torch::requires_grad()));  // took no part in the loss
  return parameters;
}

void expect_as_torch_clips(double scale, double max_norm) {
  const auto ours = parameters_with_gradients(scale);
  const auto theirs = parameters_with_gradients(scale);
  clip_gradients(ours, max_norm);
  torch::nn::utils::clip_grad_norm_(theirs, max_norm);
  for (std::size_t i = 0; i + 1 < ours.size(); ++i) {
    EXPECT_TRUE(torch::allclose(ours[i].grad(), theirs[i].grad(), /*rtol=*/1e-6, /*atol=*/0)) << "parameter " << i;
  }
  EXPECT_FALSE(ours.back().grad().defined());
}

TEST(ClipGradients, ScalesLargeGradientsAsTorchDoes) { expect_as_torch_clips(10, 1); }

TEST(ClipGradients, LeavesSmallGradientsAsTheyAre) {
  expect_as_torch_clips(1e-3, 1);
  const auto clipped = parameters_with_gradients(1e-3);
  clip_gradients(clipped, 1);
  EXPECT_TRUE(torch::equal(clipped[2].grad(), parameters_with_gradients(1e-3)[2].grad()));
}

TEST(ClipGradients, BoundsTheNormOverAllGradientsTogether) {
  const auto parameters = parameters_with_gradients(10);
  clip_gradients(parameters, 0.5);
  double squares = 0;
  for (std::size_t i = 0; i + 1 < parameters.size(); ++i) {
    squares += parameters[i].grad().square().sum().item<double>();
  }
  EXPECT_NEAR(std::sqrt(squares), 0.5, 1e-5);
}

TEST(ClipGradients, DoesNothingWhereThereIsNoGradient) {
  EXPECT_NO_THROW(clip_gradients({torch::zeros({3}, torch::requires_grad())}, 1));
}

}  // namespace
}  // namespace stepgate
