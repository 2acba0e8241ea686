#include "tabular/field_network.h"

#include <cmath>

#include "tabular/field_rows.h"

namespace stepgate {
namespace {

torch::nn::LayerNorm field_norm(std::int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

// Without a bias: one of the keys adds the same to every score of a row, softmax takes it out again, and AdamW would
// make steps of full size from the rounding of its gradient, which is zero.
torch::nn::Linear without_bias(std::int64_t from, std::int64_t to) {
  return torch::nn::Linear(torch::nn::LinearOptions(from, to).bias(false));
}

/// fields rows x count x width, matrices count x width x width, to rows x count x width.
torch::Tensor products_written_out(const torch::Tensor& fields, const torch::Tensor& matrices) {
  const auto repeated_fields = fields.unsqueeze(-1).repeat({1, 1, 1, matrices.size(2)});
  const auto repeated_matrices = matrices.unsqueeze(0).repeat({fields.size(0), 1, 1, 1});
  return (repeated_fields * repeated_matrices).sum(2);
}

torch::Tensor products(const torch::Tensor& fields, const torch::Tensor& matrices) {
  return torch::bmm(fields.transpose(0, 1), matrices).transpose(0, 1);
}

/// Queries, keys and values, each rows x heads x fields x head width.
struct AttentionInput {
  torch::Tensor queries;
  torch::Tensor keys;
  torch::Tensor values;
};

torch::Tensor attention_written_out(const AttentionInput& in) {
  const std::int64_t fields = in.queries.size(2);
  const auto queries = in.queries.contiguous();
  const auto keys = in.keys.contiguous();
  const auto values = in.values.contiguous();
  const auto repeated_queries = queries.unsqueeze(3).repeat({1, 1, 1, fields, 1});
  const auto repeated_keys = keys.unsqueeze(2).repeat({1, 1, fields, 1, 1});
  const double scale = 1 / std::sqrt(static_cast<double>(queries.size(3)));
  const auto scores = (repeated_queries * repeated_keys).sum(-1) * scale;
  return torch::matmul(torch::softmax(scores, -1), values);
}

torch::Tensor attention_in_one_call(const AttentionInput& in) {
  return torch::scaled_dot_product_attention(in.queries, in.keys, in.values);
}

}  // namespace

FieldNetworkImpl::FieldNetworkImpl(const FieldTransformerSize& size)
    : model_(size.model),
      heads_(size.heads),
      embedding_(register_module("embedding", torch::nn::Embedding(field_levels, size.width))),
      matrices_(register_parameter("matrices", torch::empty({field_count, size.width, size.width}))),
      attention_norm_(register_module("attention_norm", field_norm(size.width))),
      qkv_(register_module("qkv", without_bias(size.width, 3 * size.width))),
      attention_out_(register_module("attention_out", torch::nn::Linear(size.width, size.width))),
      mlp_norm_(register_module("mlp_norm", field_norm(size.width))),
      mlp_in_(register_module("mlp_in", torch::nn::Linear(size.width, 4 * size.width))),
      mlp_out_(register_module("mlp_out", torch::nn::Linear(4 * size.width, size.width))),
      head_(register_module("head", torch::nn::Linear(size.width, digit_classes))) {
  const torch::NoGradGuard no_grad;
  matrices_.normal_(0, 1 / std::sqrt(static_cast<double>(size.width)));  // keeps the variance of a field
}

torch::Tensor FieldNetworkImpl::own_matrices(const torch::Tensor& fields) {
  return model_ == FieldModel::naive ? products_written_out(fields, matrices_) : products(fields, matrices_);
}

torch::Tensor FieldNetworkImpl::mixed(const torch::Tensor& fields) {
  const std::int64_t rows = fields.size(0);
  const std::int64_t width = fields.size(2);
  // rows x fields x (3 * heads * head width) -> 3 x rows x heads x fields x head width
  const auto qkv = qkv_(fields).view({rows, field_count, 3, heads_, width / heads_}).permute({2, 0, 3, 1, 4}).unbind(0);
  const AttentionInput in{.queries = qkv[0], .keys = qkv[1], .values = qkv[2]};
  const auto result = model_ == FieldModel::naive ? attention_written_out(in) : attention_in_one_call(in);
  return attention_out_(result.transpose(1, 2).reshape({rows, field_count, width}));
}

torch::Tensor FieldNetworkImpl::forward(const torch::Tensor& levels) {
  auto fields = own_matrices(embedding_(levels));
  fields = fields + mixed(attention_norm_(fields));
  fields = fields + mlp_out_(torch::relu(mlp_in_(mlp_norm_(fields))));
  return head_(fields.mean(1));
}

}  // namespace stepgate
