// Recurrent networks of cuDNN: LSTM, GRU and the two plain ones, of sequences of equal and of different lengths.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/autograd.h>

#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {
namespace {

enum class RnnMode { relu = 0, tanh = 1, lstm = 2, gru = 3 };  // the numbers of the operator's argument

struct RnnTensors {
  at::Tensor input;
  std::vector<at::Tensor> weights;
  at::Tensor hidden;
  at::Tensor cell;  ///< of an LSTM
};

struct RnnSettings {
  RnnMode mode = RnnMode::lstm;
  bool has_biases = true;
  std::int64_t layers = 1;
  bool batch_first = false;
  bool bidirectional = false;
  bool train = false;
  std::vector<std::int64_t> batch_sizes = {};  ///< of a packed sequence
};

struct RnnResult {
  at::Tensor output;
  at::Tensor hidden;
  at::Tensor cell;
};

RnnTensors tensors_of(const Values& in) {
  return {.input = in[0].toTensor(),
          .weights = in[1].toTensorVector(),
          .hidden = in[4].toTensor(),
          .cell = optional_tensor(in[5])};
}

/// `mode_at`: where the operator has its first setting; the others follow in one order.
RnnSettings settings_of(const Values& in, std::size_t mode_at) {
  constexpr std::int64_t tensors_with_biases = 4;  // of one layer and direction
  RnnSettings settings{.mode = static_cast<RnnMode>(in[mode_at].toInt()),
                       .has_biases = in[2].toInt() >= tensors_with_biases,
                       .layers = in[mode_at + 3].toInt(),
                       .batch_first = in[mode_at + 4].toBool(),
                       .bidirectional = in[mode_at + 7].toBool(),
                       .train = in[mode_at + 6].toBool(),
                       .batch_sizes = in[mode_at + 8].toIntVector()};
  if (settings.train && settings.layers > 1 && in[mode_at + 5].toDouble() > 0) {
    throw std::runtime_error("dropout between the layers of an RNN has no values: set it to 0");
  }
  return settings;
}

using TwoTensors = std::tuple<at::Tensor, at::Tensor>;

/// An RNN without a cell, of sequences of equal length and of a packed sequence.
struct PlainRnn {
  RnnMode mode;
  TwoTensors (*equal)(const at::Tensor& input, const at::Tensor& hidden, at::TensorList weights, bool has_biases,
                      std::int64_t layers, double dropout, bool train, bool bidirectional, bool batch_first);
  TwoTensors (*packed)(const at::Tensor& input, const at::Tensor& batch_sizes, const at::Tensor& hidden,
                       at::TensorList weights, bool has_biases, std::int64_t layers, double dropout, bool train,
                       bool bidirectional);
};

constexpr PlainRnn plain_rnns[] = {
    {RnnMode::relu, at::rnn_relu, at::rnn_relu},
    {RnnMode::tanh, at::rnn_tanh, at::rnn_tanh},
    {RnnMode::gru, at::gru, at::gru},
};

RnnResult lstm_result(const RnnTensors& of, const RnnSettings& with) {
  const std::vector<at::Tensor> state = {of.hidden, of.cell};
  const auto [output, hidden, cell] =
      with.batch_sizes.empty() ? at::lstm(of.input, state, of.weights, with.has_biases, with.layers, 0.0, with.train,
                                          with.bidirectional, with.batch_first)
                               : at::lstm(of.input, at::tensor(with.batch_sizes, at::kLong), state, of.weights,
                                          with.has_biases, with.layers, 0.0, with.train, with.bidirectional);
  return {output, hidden, cell};
}

RnnResult plain_result(const RnnTensors& of, const RnnSettings& with) {
  for (const PlainRnn& row : plain_rnns) {
    if (row.mode != with.mode) continue;
    const auto [output, hidden] =
        with.batch_sizes.empty() ? row.equal(of.input, of.hidden, of.weights, with.has_biases, with.layers, 0.0,
                                             with.train, with.bidirectional, with.batch_first)
                                 : row.packed(of.input, at::tensor(with.batch_sizes, at::kLong), of.hidden, of.weights,
                                              with.has_biases, with.layers, 0.0, with.train, with.bidirectional);
    return {output, hidden, {}};
  }
  throw std::runtime_error("an RNN of cuDNN's mode " + std::to_string(static_cast<int>(with.mode)) + " has no values");
}

RnnResult result_of(const RnnTensors& tensors, const RnnSettings& settings) {
  return settings.mode == RnnMode::lstm ? lstm_result(tensors, settings) : plain_result(tensors, settings);
}

Values compute_rnn(const ValueCall& call) {
  constexpr std::size_t mode_at = 6;
  const RnnResult result = result_of(tensors_of(call.arguments), settings_of(call.arguments, mode_at));
  return {result.output, result.hidden, result.cell};
}

at::Tensor leaf(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.detach().requires_grad_(true) : at::Tensor();
}

RnnTensors leaves_of(const RnnTensors& tensors) {
  RnnTensors leaves{
      .input = leaf(tensors.input), .weights = {}, .hidden = leaf(tensors.hidden), .cell = leaf(tensors.cell)};
  for (const at::Tensor& weight : tensors.weights) leaves.weights.push_back(leaf(weight));
  return leaves;
}

/// Adds each result that has a gradient, and that gradient.
void add_gradient(std::vector<at::Tensor>& of, std::vector<at::Tensor>& gradients, const RnnResult& result,
                  const Values& in) {
  constexpr std::size_t first_gradient = 7;
  const at::Tensor* const results[] = {&result.output, &result.hidden, &result.cell};
  for (std::size_t place = 0; place < std::size(results); ++place) {
    const at::Tensor gradient = optional_tensor(in[first_gradient + place]);
    if (!gradient.defined() || !results[place]->defined()) continue;
    of.push_back(*results[place]);
    gradients.push_back(gradient);
  }
}

std::vector<at::Tensor> inputs_of(const RnnTensors& leaves) {
  std::vector<at::Tensor> inputs = {leaves.input, leaves.hidden};
  if (leaves.cell.defined()) inputs.push_back(leaves.cell);
  inputs.insert(inputs.end(), leaves.weights.begin(), leaves.weights.end());
  return inputs;
}

/// By LibTorch's automatic differentiation of the forward: values run without it, so it is switched on here.
Values compute_rnn_backward(const ValueCall& call) {
  constexpr std::size_t mode_at = 10;
  const c10::impl::ForceDispatchKeyGuard keys(c10::default_included_set, c10::default_excluded_set);
  const at::AutoGradMode recorded(true);
  const Values& in = call.arguments;
  const RnnTensors leaves = leaves_of(tensors_of(in));
  std::vector<at::Tensor> outputs;
  std::vector<at::Tensor> gradients;
  add_gradient(outputs, gradients, result_of(leaves, settings_of(in, mode_at)), in);
  if (outputs.empty()) return {};
  constexpr bool create_graph = false;
  constexpr bool allow_unused = true;
  const std::vector<at::Tensor> found =
      torch::autograd::grad(outputs, inputs_of(leaves), gradients, std::nullopt, create_graph, allow_unused);
  const std::size_t weights_at = leaves.cell.defined() ? 3 : 2;
  c10::List<at::Tensor> of_weights;
  for (std::size_t place = weights_at; place < found.size(); ++place) of_weights.push_back(found[place]);
  const at::Tensor of_cell = leaves.cell.defined() ? found[2] : at::Tensor();
  return {found[0], found[1], of_cell, of_weights};
}

constexpr ValueOperator rnn_rows[] = {
    {"aten::_cudnn_rnn", compute_rnn},
    {"aten::_cudnn_rnn_backward", compute_rnn_backward},
};

}  // namespace

std::span<const ValueOperator> rnn_values() { return rnn_rows; }

}  // namespace stepgate::emulator
