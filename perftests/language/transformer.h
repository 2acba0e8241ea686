// A decoder-only transformer over symbols: pre-norm blocks, learned positions, head tied to the embedding, no dropout
// (its random generator differs between CPU vendors, but committed losses must be equal).
#pragma once

#include <torch/torch.h>

#include "language/char_lm_size.h"

namespace stepgate {

/// One block: x + attention(norm(x)), then x + mlp(norm(x)).
class TransformerBlockImpl : public torch::nn::Module {
 public:
  explicit TransformerBlockImpl(const CharLmSize& size);
  /// rows x length x width, to the same shape.
  torch::Tensor forward(const torch::Tensor& input);

 private:
  torch::Tensor attention(const torch::Tensor& input);

  std::int64_t heads_;
  torch::nn::LayerNorm attention_norm_;
  torch::nn::Linear qkv_;
  torch::nn::Linear attention_out_;
  torch::nn::LayerNorm mlp_norm_;
  torch::nn::Linear mlp_in_;
  torch::nn::Linear mlp_out_;
};
TORCH_MODULE(TransformerBlock);

class TransformerImpl : public torch::nn::Module {
 public:
  explicit TransformerImpl(const CharLmSize& size);
  /// Symbols rows x length (int64, length <= max_length), to logits rows x length x vocabulary_size.
  torch::Tensor forward(const torch::Tensor& symbols);
  /// From now on each block keeps its input and runs again in backward (stepgate/checkpoint.h).
  void checkpoint_blocks() { checkpointed_ = true; }

 private:
  void initialise(std::int64_t layers);

  torch::nn::Embedding embedding_;
  torch::Tensor positions_;
  torch::nn::ModuleList blocks_;
  torch::nn::LayerNorm norm_;
  bool checkpointed_ = false;
};
TORCH_MODULE(Transformer);

}  // namespace stepgate
