#include "language/transformer.h"

#include <cmath>

#include "stepgate/checkpoint.h"

namespace stepgate {
namespace {

torch::nn::LayerNorm layer_norm(std::int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

}  // namespace

TransformerBlockImpl::TransformerBlockImpl(const CharLmSize& size)
    : heads_(size.heads),
      attention_norm_(register_module("attention_norm", layer_norm(size.width))),
      qkv_(register_module("qkv", torch::nn::Linear(size.width, 3 * size.width))),
      attention_out_(register_module("attention_out", torch::nn::Linear(size.width, size.width))),
      mlp_norm_(register_module("mlp_norm", layer_norm(size.width))),
      mlp_in_(register_module("mlp_in", torch::nn::Linear(size.width, 4 * size.width))),
      mlp_out_(register_module("mlp_out", torch::nn::Linear(4 * size.width, size.width))) {}

torch::Tensor TransformerBlockImpl::attention(const torch::Tensor& input) {
  const std::int64_t rows = input.size(0);
  const std::int64_t length = input.size(1);
  const std::int64_t width = input.size(2);
  // rows x length x (3 * heads * head width) -> 3 x rows x heads x length x head width
  const auto qkv = qkv_(input).view({rows, length, 3, heads_, width / heads_}).permute({2, 0, 3, 1, 4}).unbind(0);
  // Padding follows every real token, so the causal mask hides it and no padding mask is needed.
  const auto mixed = torch::scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], /*attn_mask=*/{}, /*dropout_p=*/0.0,
                                                         /*is_causal=*/true);
  return attention_out_(mixed.transpose(1, 2).reshape({rows, length, width}));
}

torch::Tensor TransformerBlockImpl::forward(const torch::Tensor& input) {
  const auto attended = input + attention(attention_norm_(input));
  return attended + mlp_out_(torch::gelu(mlp_in_(mlp_norm_(attended))));
}

TransformerImpl::TransformerImpl(const CharLmSize& size)
    : embedding_(register_module("embedding", torch::nn::Embedding(vocabulary_size, size.width))),
      positions_(register_parameter("positions", torch::empty({size.batch.max_length, size.width}))),
      blocks_(register_module("blocks", torch::nn::ModuleList())),
      norm_(register_module("norm", layer_norm(size.width))) {
  for (std::int64_t i = 0; i < size.layers; ++i) blocks_->push_back(TransformerBlock(size));
  initialise(size.layers);
}

// The initialisation of GPT-2 (Radford and others, 2019): normal, 0.02; weights that write into the residual stream are
// scaled by 1/sqrt(2 * layers), so that the stream's variance does not grow with depth.
void TransformerImpl::initialise(std::int64_t layers) {
  const torch::NoGradGuard no_grad;
  for (auto& parameter : named_parameters()) {
    const std::string& name = parameter.key();
    if (name.find("norm") != std::string::npos) continue;  // ones and zeros already
    if (name.ends_with("bias")) {
      parameter.value().zero_();
    } else if (name.ends_with("_out.weight")) {
      parameter.value().normal_(0, 0.02 / std::sqrt(2.0 * static_cast<double>(layers)));
    } else {
      parameter.value().normal_(0, 0.02);
    }
  }
}

torch::Tensor TransformerImpl::forward(const torch::Tensor& symbols) {
  auto hidden = embedding_(symbols) + positions_.narrow(0, 0, symbols.size(1));
  for (const auto& module : *blocks_) {
    auto* const block = module->as<TransformerBlockImpl>();
    const auto run = [block](const torch::Tensor& input) { return block->forward(input); };
    hidden = checkpointed_ ? checkpoint(run, hidden) : run(hidden);
  }
  return torch::linear(norm_(hidden), embedding_->weight);
}

}  // namespace stepgate
