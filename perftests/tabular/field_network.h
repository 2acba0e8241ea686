// A transformer over the fields of a row: each field's level is looked up, taken through a matrix of its own, and mixed
// with the other fields by attention. No dropout (transformer.h).
#pragma once

#include <torch/torch.h>

#include "tabular/field_transformer_size.h"

namespace stepgate {

/// Both models have the same parameters and give the same logits, up to rounding.
class FieldNetworkImpl : public torch::nn::Module {
 public:
  explicit FieldNetworkImpl(const FieldTransformerSize& size);
  /// Levels rows x field_count (int64), to logits rows x digit_classes.
  torch::Tensor forward(const torch::Tensor& levels);

 private:
  torch::Tensor own_matrices(const torch::Tensor& fields);
  torch::Tensor mixed(const torch::Tensor& fields);

  FieldModel model_;
  std::int64_t heads_;
  torch::nn::Embedding embedding_;
  torch::Tensor matrices_;  ///< field_count x width x width
  torch::nn::LayerNorm attention_norm_;
  torch::nn::Linear qkv_;
  torch::nn::Linear attention_out_;
  torch::nn::LayerNorm mlp_norm_;
  torch::nn::Linear mlp_in_;
  torch::nn::Linear mlp_out_;
  torch::nn::Linear head_;
};
TORCH_MODULE(FieldNetwork);

}  // namespace stepgate
