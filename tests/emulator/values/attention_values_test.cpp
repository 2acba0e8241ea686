#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

struct AttentionProblem {
  at::Tensor query;
  at::Tensor key;
  at::Tensor value;
  at::Tensor bias = {};
  double dropout = 0;
  bool causal = false;
  std::optional<double> scale = std::nullopt;
};

/// What the forward of a kind keeps for its backward.
struct KeptNumbers {
  at::Tensor first = at::zeros({}, at::kLong);
  at::Tensor second = at::zeros({}, at::kLong);
};

struct AttentionKind {
  std::string name;
  bool takes_bias;
  std::size_t kept_at;  ///< of the forward's results
  Values (*forward)(const AttentionProblem&);
  Values (*backward)(const AttentionProblem&, const at::Tensor& gradient, const KeptNumbers&);
};

c10::IValue number_or_none(const std::optional<double>& number) {
  return number ? c10::IValue(*number) : c10::IValue();
}

Values efficient_arguments(const AttentionProblem& of) {
  return {of.query, of.key, of.value, or_none(of.bias), true, of.dropout, of.causal, number_or_none(of.scale)};
}
Values efficient_backward_arguments(const AttentionProblem& of, const at::Tensor& gradient, const KeptNumbers& kept) {
  const at::Tensor unused = at::empty({0});
  const c10::List<bool> all({true, true, true, true});
  return {gradient,
          of.query,
          of.key,
          of.value,
          of.bias,
          unused,
          unused,
          kept.first,
          kept.second,
          of.dropout,
          all,
          of.causal,
          number_or_none(of.scale)};
}

Values flash_arguments(const AttentionProblem& of) {
  return {of.query, of.key, of.value, of.dropout, of.causal, false, number_or_none(of.scale)};
}
Values flash_backward_arguments(const AttentionProblem& of, const at::Tensor& gradient, const KeptNumbers& kept) {
  const at::Tensor unused = at::empty({0});
  return {gradient,   of.query,  of.key,     of.value,    unused,
          unused,     unused,    unused,     0,           0,
          of.dropout, of.causal, kept.first, kept.second, number_or_none(of.scale)};
}

Values cudnn_arguments(const AttentionProblem& of) {
  return {of.query, of.key, of.value, or_none(of.bias), true, of.dropout, of.causal, false, number_or_none(of.scale)};
}
Values cudnn_backward_arguments(const AttentionProblem& of, const at::Tensor& gradient, const KeptNumbers& kept) {
  const at::Tensor unused = at::empty({0});
  return {gradient, of.query, of.key, of.value, unused, unused,     kept.first, kept.second,
          of.bias,  unused,   unused, 0,        0,      of.dropout, of.causal,  number_or_none(of.scale)};
}

const std::vector<AttentionKind>& attention_kinds() {
  static const std::vector<AttentionKind> kinds = {
      {"aten::_scaled_dot_product_efficient_attention", true, 2, efficient_arguments, efficient_backward_arguments},
      {"aten::_scaled_dot_product_flash_attention", false, 6, flash_arguments, flash_backward_arguments},
      {"aten::_scaled_dot_product_cudnn_attention", true, 6, cudnn_arguments, cudnn_backward_arguments},
  };
  return kinds;
}

/// The definition, of operators that have a gradient.
at::Tensor composed_attention(const AttentionProblem& of) {
  const double scale = of.scale.value_or(1 / std::sqrt(static_cast<double>(of.query.size(-1))));
  at::Tensor scores = of.query.matmul(of.key.transpose(-2, -1)) * scale;
  if (of.bias.defined()) scores = scores + of.bias;
  if (of.causal) {
    const at::Tensor later = at::ones({scores.size(-2), scores.size(-1)}, at::kBool).triu(1);
    scores = scores.masked_fill(later, -std::numeric_limits<double>::infinity());
  }
  return scores.softmax(-1).matmul(of.value);
}

AttentionProblem small_problem(bool with_bias) {
  at::manual_seed(7);
  AttentionProblem problem{
      .query = at::randn({2, 3, 5, 8}), .key = at::randn({2, 3, 5, 8}), .value = at::randn({2, 3, 5, 8})};
  if (with_bias) problem.bias = at::randn({1, 3, 5, 5});
  problem.causal = true;
  problem.scale = 0.3;
  return problem;
}

TEST(AttentionValues, ForwardIsTheDefinition) {
  for (const AttentionKind& kind : attention_kinds()) {
    for (const bool causal : {false, true}) {
      AttentionProblem problem = small_problem(kind.takes_bias);
      problem.causal = causal;
      const Values values = values_of(kind.name, kind.forward(problem));
      ASSERT_GT(values.size(), kind.kept_at);
      expect_near(values[0].toTensor(), composed_attention(problem), kind.name);
    }
  }
}

TEST(AttentionValues, TheScaleIsThatOfTheWidthWhereNoneIsGiven) {
  for (const AttentionKind& kind : attention_kinds()) {
    AttentionProblem problem = small_problem(false);
    problem.scale = std::nullopt;
    expect_near(values_of(kind.name, kind.forward(problem)).at(0).toTensor(), composed_attention(problem), kind.name);
  }
}

TEST(AttentionValues, BackwardIsTheGradientOfTheDefinition) {
  for (const AttentionKind& kind : attention_kinds()) {
    const AttentionProblem problem = small_problem(kind.takes_bias);
    AttentionProblem leaves = problem;
    leaves.query = differentiable(problem.query);
    leaves.key = differentiable(problem.key);
    leaves.value = differentiable(problem.value);
    std::vector<at::Tensor> inputs = {leaves.query, leaves.key, leaves.value};
    if (problem.bias.defined()) {
      leaves.bias = differentiable(problem.bias);
      inputs.push_back(leaves.bias);
    }
    const at::Tensor gradient = at::randn_like(problem.query);
    const auto expected = torch::autograd::grad({composed_attention(leaves)}, inputs, {gradient});
    const Values found = values_of(kind.name + "_backward", kind.backward(problem, gradient, {}));
    ASSERT_GE(found.size(), 3U);
    for (std::size_t place = 0; place < std::min(found.size(), expected.size()); ++place) {
      expect_near(found[place].toTensor(), expected[place], kind.name + " input " + std::to_string(place));
    }
  }
}

/// The values are the unit vectors, so the output is the weights after the dropout, and the gradient of the values is
/// their product with the gradient of the output.
TEST(AttentionValues, BackwardDropsWhatTheForwardDropped) {
  for (const AttentionKind& kind : attention_kinds()) {
    AttentionProblem problem = small_problem(false);
    problem.dropout = 0.4;
    problem.causal = false;
    problem.value = at::eye(5).expand({2, 3, 5, 5}).contiguous();
    const Values forward = values_of(kind.name, kind.forward(problem), {.seed = 11, .offset = 4});
    ASSERT_GT(forward.size(), kind.kept_at);
    const at::Tensor dropped = forward[0].toTensor();
    EXPECT_GT((dropped == 0).sum().item<std::int64_t>(), 20) << kind.name;
    KeptNumbers kept{.first = forward[kind.kept_at].toTensor()};
    if (forward.size() > kind.kept_at + 1) kept.second = forward[kind.kept_at + 1].toTensor();
    const at::Tensor gradient = at::randn({2, 3, 5, 5});
    const Values found = values_of(kind.name + "_backward", kind.backward(problem, gradient, kept));
    expect_near(found.at(2).toTensor(), dropped.transpose(-2, -1).matmul(gradient), kind.name);
    const Values other = values_of(kind.name, kind.forward(problem), {.seed = 11, .offset = 8});
    EXPECT_FALSE(at::equal(dropped == 0, other.at(0).toTensor() == 0)) << kind.name;
  }
}

TEST(AttentionValues, HeadsOfTheQueryShareThoseOfTheKey) {
  AttentionProblem problem = small_problem(false);
  problem.query = at::randn({2, 4, 5, 8});
  problem.key = at::randn({2, 2, 5, 8});
  problem.value = at::randn({2, 2, 5, 8});
  AttentionProblem leaves = problem;
  const at::Tensor key = differentiable(problem.key);
  const at::Tensor value = differentiable(problem.value);
  leaves.key = key.repeat_interleave(2, 1);
  leaves.value = value.repeat_interleave(2, 1);
  const at::Tensor output = composed_attention(leaves);
  const at::Tensor gradient = at::randn_like(problem.query);
  const auto expected = torch::autograd::grad({output}, {key, value}, {gradient});
  const AttentionKind& flash = attention_kinds()[1];
  expect_near(values_of(flash.name, flash.forward(problem)).at(0).toTensor(), output.detach(), "output");
  const Values found = values_of(flash.name + "_backward", flash.backward(problem, gradient, {}));
  expect_near(found.at(1).toTensor(), expected[0], "key");
  expect_near(found.at(2).toTensor(), expected[1], "value");
}

TEST(AttentionValues, LogarithmsOfSumsHaveTheRowsOfTheKernel) {
  const AttentionProblem problem = small_problem(false);
  const AttentionKind& efficient = attention_kinds()[0];
  const at::Tensor found = values_of(efficient.name, efficient.forward(problem)).at(1).toTensor();
  ASSERT_EQ(found.sizes(), (std::vector<std::int64_t>{2, 3, 32}));
  EXPECT_NEAR(found[0][0][0].item<double>(), (problem.query[0][0][0].dot(problem.key[0][0][0]) * 0.3).item<double>(),
              float_difference);
}

}  // namespace
}  // namespace stepgate::emulator
