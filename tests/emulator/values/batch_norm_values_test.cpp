#include <torch/csrc/autograd/autograd.h>

#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

constexpr double norm_epsilon = 1e-3;

struct NormProblem {
  at::Tensor input;
  at::Tensor weight;
  at::Tensor bias;
};

NormProblem small_norm() {
  at::manual_seed(5);
  return {at::randn({4, 3, 2, 5}) * 2 + 1, at::randn({3}), at::randn({3})};
}

at::Tensor over_channels(const at::Tensor& of_channel) { return of_channel.view({1, -1, 1, 1}); }

at::Tensor composed_batch_norm(const NormProblem& of) {
  const at::Tensor mean = of.input.mean({0, 2, 3});
  const at::Tensor variance = (of.input - over_channels(mean)).square().mean({0, 2, 3});
  const at::Tensor normal = (of.input - over_channels(mean)) / over_channels((variance + norm_epsilon).sqrt());
  return normal * over_channels(of.weight) + over_channels(of.bias);
}

TEST(BatchNormValues, TrainingIsTheDefinitionAndMovesTheRunningStatistics) {
  const NormProblem problem = small_norm();
  const at::Tensor mean = at::zeros({3});
  const at::Tensor variance = at::ones({3});
  const Values found = values_of(
      "aten::cudnn_batch_norm", {problem.input, problem.weight, problem.bias, mean, variance, true, 0.1, norm_epsilon});
  expect_near(found.at(0).toTensor(), composed_batch_norm(problem), "output");
  expect_near(found.at(1).toTensor(), problem.input.mean({0, 2, 3}), "mean");
  const at::Tensor biased = problem.input.var({0, 2, 3}, false);
  expect_near(found.at(2).toTensor(), (biased + norm_epsilon).rsqrt(), "one over the deviation");
  expect_near(mean, problem.input.mean({0, 2, 3}) * 0.1, "running mean");
  expect_near(variance, 0.9 + problem.input.var({0, 2, 3}, true) * 0.1, "running variance");
}

TEST(BatchNormValues, EvaluationTakesTheRunningStatistics) {
  const NormProblem problem = small_norm();
  const at::Tensor mean = at::full({3}, 2.0);
  const at::Tensor variance = at::full({3}, 4.0);
  const Values found = values_of("aten::cudnn_batch_norm", {problem.input, problem.weight, problem.bias, mean, variance,
                                                            false, 0.1, norm_epsilon});
  const at::Tensor normal = (problem.input - 2.0) / over_channels((variance + norm_epsilon).sqrt());
  expect_near(found.at(0).toTensor(), normal * over_channels(problem.weight) + over_channels(problem.bias), "output");
  EXPECT_EQ(mean[0].item<double>(), 2.0);
}

TEST(BatchNormValues, BackwardIsTheGradientOfTheDefinition) {
  const NormProblem problem = small_norm();
  const NormProblem leaves{differentiable(problem.input), differentiable(problem.weight), differentiable(problem.bias)};
  const at::Tensor gradient = at::randn_like(problem.input);
  const auto expected =
      torch::autograd::grad({composed_batch_norm(leaves)}, {leaves.input, leaves.weight, leaves.bias}, {gradient});
  const at::Tensor mean = problem.input.mean({0, 2, 3});
  const at::Tensor inverse = (problem.input.var({0, 2, 3}, false) + norm_epsilon).rsqrt();
  const at::Tensor reserved = at::empty({0}, at::kByte);
  const Values found = values_of(
      "aten::cudnn_batch_norm_backward",
      {problem.input, gradient, problem.weight, c10::IValue(), c10::IValue(), mean, inverse, norm_epsilon, reserved});
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t place = 0; place < 3; ++place) expect_near(found[place].toTensor(), expected[place], "gradient");
}

}  // namespace
}  // namespace stepgate::emulator
