// Scaled dot product attention: flash, memory-efficient and cuDNN's, forward and backward. The formulas are those of
// the definition, in float32 whatever the type of the arguments.
#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {
namespace {

/// Where an operator has its arguments; 0 where it has no such argument, because a tensor is the first of each.
struct AttentionPlaces {
  std::size_t query = 0;
  std::size_t bias = 0;
  std::size_t dropout = 0;
  std::size_t causal = 0;
  std::size_t scale = 0;
  std::size_t seed = 0;    ///< of a backward; the offset comes next
  std::size_t inputs = 3;  ///< gradients of a backward
};

constexpr AttentionPlaces efficient_forward{.bias = 3, .dropout = 5, .causal = 6, .scale = 7};
constexpr AttentionPlaces efficient_backward{
    .query = 1, .bias = 4, .dropout = 9, .causal = 11, .scale = 12, .seed = 7, .inputs = 4};
constexpr AttentionPlaces flash_forward{.dropout = 3, .causal = 4, .scale = 6};
constexpr AttentionPlaces flash_backward{.query = 1, .dropout = 10, .causal = 11, .scale = 14, .seed = 12};
constexpr AttentionPlaces cudnn_forward{.bias = 3, .dropout = 5, .causal = 6, .scale = 8};
constexpr AttentionPlaces cudnn_backward{.query = 1, .bias = 8, .dropout = 13, .causal = 14, .scale = 15, .seed = 6};

struct Attention {
  at::Tensor query;  ///< batch, heads, length, width
  at::Tensor key;
  at::Tensor value;
  at::Tensor bias;  ///< undefined where there is none
  double scale = 1;
  double dropout = 0;
  bool causal = false;
};

struct AttentionWeights {
  at::Tensor log_sums;  ///< batch, heads, length
  at::Tensor weights;   ///< before the dropout
  at::Tensor kept;      ///< factors of the dropout; undefined without one
};

/// Several heads of the query may share one of the key.
at::Tensor with_heads(const at::Tensor& tensor, std::int64_t heads) {
  return tensor.size(1) == heads ? tensor : tensor.repeat_interleave(heads / tensor.size(1), 1);
}

/// The sum over the heads that shared one.
at::Tensor to_heads(const at::Tensor& gradient, std::int64_t heads) {
  if (gradient.size(1) == heads) return gradient;
  const std::int64_t shared = gradient.size(1) / heads;
  return gradient.reshape({gradient.size(0), heads, shared, gradient.size(2), gradient.size(3)}).sum(2);
}

Attention attention_of(const ValueCall& call, const AttentionPlaces& places) {
  const Values& arguments = call.arguments;
  Attention attention;
  attention.query = arguments[places.query].toTensor().to(at::kFloat);
  const std::int64_t heads = attention.query.size(1);
  attention.key = with_heads(arguments[places.query + 1].toTensor().to(at::kFloat), heads);
  attention.value = with_heads(arguments[places.query + 2].toTensor().to(at::kFloat), heads);
  if (places.bias != 0) attention.bias = optional_tensor(arguments[places.bias]);
  if (attention.bias.defined()) attention.bias = attention.bias.to(at::kFloat);
  attention.dropout = arguments[places.dropout].toDouble();
  attention.causal = arguments[places.causal].toBool();
  const std::optional<double> scale = arguments[places.scale].toOptional<double>();
  attention.scale = scale.value_or(1 / std::sqrt(static_cast<double>(attention.query.size(-1))));
  return attention;
}

AttentionWeights weights_of(const Attention& attention, const RandomPlace& place) {
  at::Tensor scores = at::matmul(attention.query, attention.key.transpose(-2, -1)) * attention.scale;
  if (attention.bias.defined()) scores = scores + attention.bias;
  if (attention.causal) {
    const at::Tensor seen = at::ones({scores.size(-2), scores.size(-1)}, at::kBool).tril();
    scores = scores.masked_fill(seen.logical_not(), -std::numeric_limits<double>::infinity());
  }
  // A row that sees nothing has weights of 0.
  AttentionWeights found{.log_sums = scores.logsumexp(-1), .weights = at::_safe_softmax(scores, -1), .kept = {}};
  if (attention.dropout > 0) {
    found.kept = at::empty_like(found.weights).bernoulli_(1 - attention.dropout, generator_at(place));
    if (attention.dropout < 1) found.kept.div_(1 - attention.dropout);
  }
  return found;
}

struct AttentionResult {
  at::Tensor output;
  at::Tensor log_sums;
};

AttentionResult forward_of(const ValueCall& call, const AttentionPlaces& places) {
  const Attention attention = attention_of(call, places);
  const AttentionWeights found = weights_of(attention, call.place);
  const at::Tensor weights = found.kept.defined() ? found.weights * found.kept : found.weights;
  return {at::matmul(weights, attention.value), found.log_sums};
}

at::Tensor number(std::uint64_t value) { return at::scalar_tensor(static_cast<std::int64_t>(value), at::kLong); }

std::uint64_t element(const at::Tensor& tensor, std::int64_t place) {
  const at::Tensor flat = tensor.contiguous().reshape({-1});
  // Flash keeps both numbers as uint64, which most operators lack.
  return static_cast<std::uint64_t>(flat.view(at::kLong).data_ptr<std::int64_t>()[place]);
}

/// The place of the forward, as it kept it for the backward: flash has both numbers in one tensor.
RandomPlace kept_place(const Values& arguments, std::size_t seed_at) {
  const at::Tensor& seed = arguments[seed_at].toTensor();
  if (seed.numel() == 2) return {element(seed, 0), element(seed, 1)};
  return {element(seed, 0), element(arguments[seed_at + 1].toTensor(), 0)};
}

/// Of query, key, value and bias.
Values gradients_of(const ValueCall& call, const AttentionPlaces& places) {
  const Attention attention = attention_of(call, places);
  const RandomPlace place = attention.dropout > 0 ? kept_place(call.arguments, places.seed) : RandomPlace{};
  const AttentionWeights found = weights_of(attention, place);
  const at::Tensor gradient = call.arguments[0].toTensor().to(at::kFloat);
  const at::Tensor& weights = found.weights;
  const at::Tensor dropped = found.kept.defined() ? weights * found.kept : weights;
  at::Tensor of_weights = at::matmul(gradient, attention.value.transpose(-2, -1));
  if (found.kept.defined()) of_weights = of_weights * found.kept;
  const at::Tensor of_scores = weights * (of_weights - (of_weights * weights).sum(-1, true));
  const std::int64_t key_heads = call.arguments[places.query + 1].toTensor().size(1);
  Values gradients;
  gradients.emplace_back(at::matmul(of_scores, attention.key) * attention.scale);
  gradients.emplace_back(
      to_heads(at::matmul(of_scores.transpose(-2, -1), attention.query) * attention.scale, key_heads));
  gradients.emplace_back(to_heads(at::matmul(dropped.transpose(-2, -1), gradient), key_heads));
  if (places.inputs == 4) {
    const bool has_bias = attention.bias.defined();
    gradients.emplace_back(has_bias ? at::sum_to(of_scores, attention.bias.sizes()) : at::Tensor());
  }
  return gradients;
}

/// The rows of the logarithms of sums are padded to a multiple of 32.
at::Tensor padded_rows(const at::Tensor& log_sums) {
  constexpr std::int64_t multiple = 32;
  const std::int64_t over = log_sums.size(-1) % multiple;
  return over == 0 ? log_sums : at::constant_pad_nd(log_sums, {0, multiple - over});
}

Values compute_efficient_forward(const ValueCall& call) {
  const AttentionResult result = forward_of(call, efficient_forward);
  return {result.output, padded_rows(result.log_sums), number(call.place.seed), number(call.place.offset)};
}

Values compute_flash_forward(const ValueCall& call) {
  const AttentionResult result = forward_of(call, flash_forward);
  const at::Tensor state = at::stack({number(call.place.seed), number(call.place.offset)});
  const at::Tensor none;
  return {result.output, result.log_sums, none, none, c10::IValue(), c10::IValue(), state};
}

Values compute_cudnn_forward(const ValueCall& call) {
  const AttentionResult result = forward_of(call, cudnn_forward);
  const at::Tensor none;
  return {result.output,           result.log_sums,          none, none, c10::IValue(), c10::IValue(),
          number(call.place.seed), number(call.place.offset)};
}

Values compute_efficient_backward(const ValueCall& call) { return gradients_of(call, efficient_backward); }
Values compute_flash_backward(const ValueCall& call) { return gradients_of(call, flash_backward); }
Values compute_cudnn_backward(const ValueCall& call) { return gradients_of(call, cudnn_backward); }

constexpr ValueOperator attention_rows[] = {
    {"aten::_scaled_dot_product_efficient_attention", compute_efficient_forward, true},
    {"aten::_scaled_dot_product_efficient_attention_backward", compute_efficient_backward},
    {"aten::_scaled_dot_product_flash_attention", compute_flash_forward, true},
    {"aten::_scaled_dot_product_flash_attention_backward", compute_flash_backward},
    {"aten::_scaled_dot_product_cudnn_attention", compute_cudnn_forward, true},
    {"aten::_scaled_dot_product_cudnn_attention_backward", compute_cudnn_backward},
};

}  // namespace

std::span<const ValueOperator> attention_values() { return attention_rows; }

}  // namespace stepgate::emulator
