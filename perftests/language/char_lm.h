// A character language model that learns Python source: token embedding, attention, layer norms, a tied head, AdamW.
// Guards the parts of language-model training, including a loader with padded batches of varying length.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/char_lm_size.h"
#include "language/transformer.h"
#include "stepgate/amp.h"
#include "stepgate/autocast.h"
#include "stepgate/workload.h"
#include "support/fused_adamw.h"
#include "support/host_batch.h"
#include "support/token_batches.h"

namespace stepgate {

/// How the parameters are updated: as torch::optim::AdamW does, tensor by tensor, or in one call (fused_adamw.h).
enum class CharLmOptimizer { adamw, fused };

/// Takes parameter "optimizer" (adamw or fused) out of `params`. Without it: adamw, or fused in a build with
/// STEPGATE_FUSED_ADAMW defined, so that `stepgate ab` can compare two builds of the same case. Throws
/// std::invalid_argument for another value.
CharLmOptimizer take_optimizer(std::map<std::string, std::string>& params);

/// Takes parameter "scaler" (on or off) out of `params`: whether the loss is scaled (amp.h). Off without it. Throws
/// std::invalid_argument for another value.
bool take_scaler(std::map<std::string, std::string>& params);

/// Batches carry two tensors, inputs and targets, int64 rows x length; targets are the inputs shifted by one on the
/// host, ignored_target where there is padding. Its parts are virtual so that a test can replace one at a time with a
/// faulty one.
class CharLm : public Workload {
 public:
  /// Reads the text from context.data_dir. Throws DataError if that is missing or altered.
  CharLm(const CaseContext& context, const CharLmSize& size);
  /// From now on parameters are updated in one call. Before the first step.
  void fuse_optimizer();
  /// From now on the loss is scaled. Before the first step.
  void scale_loss();
  /// From now on the blocks of the model keep their inputs and run again in backward.
  void checkpoint_blocks() { model_->checkpoint_blocks(); }
  /// Learns the given text.
  CharLm(const CaseContext& context, const CharLmSize& size, const TextCorpus& corpus);

  Batch next_batch() override;
  torch::Tensor forward(const Batch& batch) override;
  void backward(const torch::Tensor& loss) override;
  void optimizer_step() override;
  void log_step(std::int64_t step, const torch::Tensor& loss) override;
  std::optional<LossScaling> loss_scaling() const override;
  std::vector<torch::Tensor> parameters() const override { return parameters_; }
  std::string data_digest() const override { return data_digest_; }

 protected:
  /// inputs rows x length -> rows x length x vocabulary_size.
  virtual torch::Tensor logits(const torch::Tensor& inputs);
  /// For the scope of forward(): what the case's dtype asks for.
  Autocast autocast() const { return {device_.type(), autocast_}; }
  /// Mean cross entropy over the targets that are not padding.
  virtual torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets);
  virtual void zero_gradients();

  torch::optim::AdamW& optimizer() { return optimizer_; }
  Transformer& model() { return model_; }
  const TokenBatches& batches() const { return batches_; }
  /// `symbols` as rows of equal length, page-locked if the device is a GPU.
  torch::Tensor host_tensor(const std::vector<std::int64_t>& symbols, std::int64_t rows) const;

 private:
  void scaled_step();

  CharLmSize size_;
  torch::Device device_;
  bool autocast_;
  std::string data_digest_;
  TokenBatches batches_;
  std::int64_t step_ = 0;
  Transformer model_;
  std::vector<torch::Tensor> parameters_;
  torch::optim::AdamW optimizer_;
  std::optional<FusedAdamW> fused_;  ///< updates in place of optimizer_
  std::optional<GradScaler> scaler_;
  torch::Tensor loss_sum_;  ///< on the device since the last report, so that logging never waits for it
};

/// Workload factories of the cases; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_char_lm(const CaseContext& context);
/// `tiny` with checkpointed blocks.
std::unique_ptr<Workload> make_tiny_char_lm_checkpoint(const CaseContext& context);
/// As tiny, with batches of samples of any length (token_batches.h): rounded up to buckets, or as they come.
std::unique_ptr<Workload> make_bucketed_char_lm(const CaseContext& context);
std::unique_ptr<Workload> make_unbucketed_char_lm(const CaseContext& context);
std::unique_ptr<Workload> make_full_char_lm(const CaseContext& context);
std::unique_ptr<Workload> make_gpu_small_char_lm(const CaseContext& context);

}  // namespace stepgate
