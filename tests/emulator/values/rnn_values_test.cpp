#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

constexpr std::int64_t lstm_mode = 2;
constexpr std::int64_t gru_mode = 3;
constexpr std::int64_t tanh_mode = 1;

/// One layer, one direction: 4 steps, 2 sequences, width 3, 5 hidden.
struct RnnProblem {
  std::int64_t mode = lstm_mode;
  at::Tensor input;
  std::vector<at::Tensor> weights;  ///< input, hidden, their biases
  at::Tensor hidden;
  at::Tensor cell;  ///< undefined but for an LSTM
};

RnnProblem small_rnn(std::int64_t mode) {
  at::manual_seed(3);
  const std::int64_t gates = mode == lstm_mode ? 4 : mode == gru_mode ? 3 : 1;
  RnnProblem problem{
      .mode = mode,
      .input = at::randn({4, 2, 3}),
      .weights = {at::randn({gates * 5, 3}), at::randn({gates * 5, 5}), at::randn({gates * 5}), at::randn({gates * 5})},
      .hidden = at::randn({1, 2, 5}),
      .cell = {}};
  if (mode == lstm_mode) problem.cell = at::randn({1, 2, 5});
  return problem;
}

struct Composed {
  at::Tensor output;
  at::Tensor hidden;
  at::Tensor cell;
};

/// The cells' definitions (documentation of LibTorch's modules), step by step.
Composed composed_rnn(const RnnProblem& of) {
  at::Tensor hidden = of.hidden[0];
  at::Tensor cell = of.cell.defined() ? of.cell[0] : at::Tensor();
  std::vector<at::Tensor> steps;
  for (std::int64_t step = 0; step < of.input.size(0); ++step) {
    const at::Tensor from_input = of.input[step].matmul(of.weights[0].t()) + of.weights[2];
    const at::Tensor from_hidden = hidden.matmul(of.weights[1].t()) + of.weights[3];
    if (of.mode == tanh_mode) {
      hidden = (from_input + from_hidden).tanh();
    } else if (of.mode == lstm_mode) {
      const std::vector<at::Tensor> gates = (from_input + from_hidden).chunk(4, 1);
      cell = gates[1].sigmoid() * cell + gates[0].sigmoid() * gates[2].tanh();
      hidden = gates[3].sigmoid() * cell.tanh();
    } else {
      const std::vector<at::Tensor> own = from_input.chunk(3, 1);
      const std::vector<at::Tensor> before = from_hidden.chunk(3, 1);
      const at::Tensor kept = (own[1] + before[1]).sigmoid();
      const at::Tensor made = (own[2] + (own[0] + before[0]).sigmoid() * before[2]).tanh();
      hidden = made + kept * (hidden - made);
    }
    steps.push_back(hidden);
  }
  return {at::stack(steps), hidden.unsqueeze(0), cell.defined() ? cell.unsqueeze(0) : cell};
}

c10::List<at::Tensor> list_of(const std::vector<at::Tensor>& tensors) { return c10::List<at::Tensor>(tensors); }

void add_settings(Values& arguments, const RnnProblem& of) {
  const bool batch_first = false;
  const bool train = true;
  const bool bidirectional = false;
  const c10::List<std::int64_t> batch_sizes;
  const Values settings = {of.mode, 5, 0, 1, batch_first, 0.0, train, bidirectional, batch_sizes, c10::IValue()};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
}

Values forward_arguments(const RnnProblem& of) {
  Values arguments = {of.input, list_of(of.weights), 4, c10::IValue(), of.hidden, or_none(of.cell)};
  add_settings(arguments, of);
  return arguments;
}

Values backward_arguments(const RnnProblem& of, const at::Tensor& of_output, const at::Tensor& of_hidden) {
  const at::Tensor unused = at::empty({0});
  Values arguments = {of.input, list_of(of.weights), 4,         unused,       of.hidden, or_none(of.cell),
                      unused,   or_none(of_output),  of_hidden, c10::IValue()};
  add_settings(arguments, of);
  arguments.emplace_back(unused);
  arguments.emplace_back(c10::List<bool>({true, true, true, true}));
  return arguments;
}

TEST(RnnValues, ForwardIsTheDefinition) {
  for (const std::int64_t mode : {tanh_mode, lstm_mode, gru_mode}) {
    const RnnProblem problem = small_rnn(mode);
    const Composed expected = composed_rnn(problem);
    const Values found = values_of("aten::_cudnn_rnn", forward_arguments(problem));
    const std::string what = "mode " + std::to_string(mode);
    expect_near(found.at(0).toTensor(), expected.output, what);
    expect_near(found.at(1).toTensor(), expected.hidden, what);
    if (mode == lstm_mode) expect_near(found.at(2).toTensor(), expected.cell, what);
  }
}

TEST(RnnValues, BackwardIsTheGradientOfTheDefinition) {
  for (const std::int64_t mode : {tanh_mode, lstm_mode, gru_mode}) {
    const RnnProblem problem = small_rnn(mode);
    RnnProblem leaves = problem;
    leaves.input = differentiable(problem.input);
    leaves.hidden = differentiable(problem.hidden);
    std::vector<at::Tensor> inputs = {leaves.input, leaves.hidden};
    if (problem.cell.defined()) {
      leaves.cell = differentiable(problem.cell);
      inputs.push_back(leaves.cell);
    }
    leaves.weights.clear();
    for (const at::Tensor& weight : problem.weights) leaves.weights.push_back(differentiable(weight));
    inputs.insert(inputs.end(), leaves.weights.begin(), leaves.weights.end());
    const Composed result = composed_rnn(leaves);
    const at::Tensor of_output = at::randn_like(result.output.detach());
    const at::Tensor of_hidden = at::randn_like(result.hidden.detach());
    const auto expected = torch::autograd::grad({result.output, result.hidden}, inputs, {of_output, of_hidden});
    // As the library runs it: without automatic differentiation.
    const at::NoGradGuard no_gradient;
    const Values found = values_of("aten::_cudnn_rnn_backward", backward_arguments(problem, of_output, of_hidden));
    const std::string what = "mode " + std::to_string(mode) + " ";
    ASSERT_EQ(found.size(), 4U) << what;
    expect_near(found[0].toTensor(), expected[0], what + "input");
    expect_near(found[1].toTensor(), expected[1], what + "hidden");
    const std::size_t weights_at = problem.cell.defined() ? 3 : 2;
    if (problem.cell.defined()) expect_near(found[2].toTensor(), expected[2], what + "cell");
    const std::vector<at::Tensor> of_weights = found[3].toTensorVector();
    ASSERT_EQ(of_weights.size(), 4U);
    for (std::size_t place = 0; place < of_weights.size(); ++place) {
      expect_near(of_weights[place], expected[weights_at + place], what + "weight " + std::to_string(place));
    }
  }
}

TEST(RnnValues, AGradientThatIsNotThereIsLeftOut) {
  const RnnProblem problem = small_rnn(gru_mode);
  const at::Tensor of_hidden = at::ones({1, 2, 5});
  const Values found = values_of("aten::_cudnn_rnn_backward", backward_arguments(problem, {}, of_hidden));
  ASSERT_EQ(found.size(), 4U);
  RnnProblem leaves = problem;
  leaves.input = differentiable(problem.input);
  const auto expected = torch::autograd::grad({composed_rnn(leaves).hidden}, {leaves.input}, {of_hidden});
  expect_near(found[0].toTensor(), expected[0], "input");
}

TEST(RnnValues, ShorterSequencesEndEarlier) {
  const RnnProblem problem = small_rnn(lstm_mode);
  Values arguments = forward_arguments(problem);
  // Four steps of the first sequence and two of the second.
  const at::Tensor packed =
      at::cat({problem.input[0], problem.input[1], problem.input[2].slice(0, 0, 1), problem.input[3].slice(0, 0, 1)});
  arguments[0] = packed;
  arguments[14] = c10::List<std::int64_t>({2, 2, 1, 1});
  const Values found = values_of("aten::_cudnn_rnn", arguments);
  RnnProblem shorter = problem;
  shorter.input = problem.input.slice(0, 0, 2);
  expect_near(found.at(1).toTensor()[0][0], composed_rnn(problem).hidden[0][0], "the long one");
  expect_near(found.at(1).toTensor()[0][1], composed_rnn(shorter).hidden[0][1], "the short one");
}

TEST(RnnValues, DropoutBetweenLayersHasNone) {
  Values arguments = forward_arguments(small_rnn(lstm_mode));
  arguments[9] = 2;
  arguments[11] = 0.5;
  EXPECT_THROW(values_of("aten::_cudnn_rnn", arguments), std::runtime_error);
}

}  // namespace
}  // namespace stepgate::emulator
