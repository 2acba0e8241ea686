#include <torch/csrc/autograd/autograd.h>

#include <vector>

#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

using Sizes = c10::List<std::int64_t>;

struct ConvolutionProblem {
  at::Tensor input = at::randn({2, 3, 6, 7});
  at::Tensor weight = at::randn({4, 3, 3, 2});
};

/// Windows of the input as columns, times the weights as rows. Padding 1 and 2, stride 2 and 1.
at::Tensor composed_convolution(const ConvolutionProblem& of) {
  const at::Tensor columns = at::im2col(of.input, {3, 2}, {1, 1}, {1, 2}, {2, 1});
  return of.weight.reshape({4, -1}).matmul(columns).reshape({2, 4, 3, 10});
}

TEST(ConvolutionValues, AreProductsOfWindows) {
  at::manual_seed(9);
  const ConvolutionProblem problem;
  const at::Tensor expected = composed_convolution(problem);
  const Values plain = values_of("aten::cudnn_convolution", {problem.input, problem.weight, Sizes({1, 2}),
                                                             Sizes({2, 1}), Sizes({1, 1}), 1, false, false, false});
  expect_near(plain.at(0).toTensor(), expected, "plain");
  const at::Tensor bias = at::randn({4});
  const at::Tensor with_bias = expected + bias.view({1, 4, 1, 1});
  const Values relu = values_of("aten::cudnn_convolution_relu",
                                {problem.input, problem.weight, bias, Sizes({2, 1}), Sizes({1, 2}), Sizes({1, 1}), 1});
  expect_near(relu.at(0).toTensor(), with_bias.clamp_min(0), "relu");
  const at::Tensor other = at::randn_like(expected);
  const Values added = values_of("aten::cudnn_convolution_add_relu", {problem.input, problem.weight, other, 0.5, bias,
                                                                      Sizes({2, 1}), Sizes({1, 2}), Sizes({1, 1}), 1});
  expect_near(added.at(0).toTensor(), (with_bias + other * 0.5).clamp_min(0), "add and relu");
}

TEST(ConvolutionValues, TheTransposedOneIsTheGradientOfTheOther) {
  at::manual_seed(9);
  ConvolutionProblem problem;
  problem.input = differentiable(problem.input);
  const at::Tensor output = composed_convolution(problem);
  const at::Tensor gradient = at::randn_like(output.detach());
  const auto expected = torch::autograd::grad({output}, {problem.input}, {gradient});
  const Values found = values_of(
      "aten::cudnn_convolution_transpose",
      {gradient, problem.weight, Sizes({1, 2}), Sizes({1, 0}), Sizes({2, 1}), Sizes({1, 1}), 1, false, false, false});
  expect_near(found.at(0).toTensor(), expected[0], "transposed");
}

}  // namespace
}  // namespace stepgate::emulator
