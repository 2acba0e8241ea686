// The character model of char_lm trained by several ranks: each takes its rows of a global batch, gradients are
// averaged over all of them. Guards the additional parts of data-parallel training: gradient exchange, its overlap with
// backward, accumulation.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "language/char_lm.h"
#include "language/char_lm_parallel_size.h"
#include "stepgate/exchange_switch.h"
#include "support/gradient_exchange.h"

namespace stepgate {

/// The rows of a step's global batch are those of char_lm. Rank r takes the r-th block of them, so the training does
/// not depend on the number of ranks or micro-steps. All tokens have the same weight, independent of a rank's padding:
/// a rank's loss is (sum over its targets) * ranks / (all targets of the step), and its mean over ranks is the loss of
/// the whole batch.
///
/// With micro-steps a batch holds two tensors for each. forward() runs all of them and returns the sum of their losses;
/// backward() then processes them one after the other. All their graphs are alive together, because the harness has
/// each boundary only once per step; a user's own loop would have one graph at a time.
///
/// With one rank there is no exchange.
class CharLmParallel : public CharLm, public ExchangeSwitch {
 public:
  CharLmParallel(const CaseContext& context, const CharLmParallelSize& size);
  /// Learns the given text, with ranks that are connected already (null: alone).
  CharLmParallel(const CaseContext& context, const CharLmParallelSize& size, const TextCorpus& corpus, RankGroup group);

  Batch next_batch() override;
  torch::Tensor forward(const Batch& batch) override;
  void backward(const torch::Tensor& loss) override;
  std::optional<Communication> communication() const override;
  void set_exchange(bool on) override;

 private:
  CharLmParallelSize size_;
  std::int64_t rank_;
  std::int64_t ranks_;
  std::int64_t rows_;  ///< of one micro-step
  RankGroup group_;    ///< null: alone
  std::optional<GradientExchange> exchange_;
  bool exchanges_ = true;
  std::int64_t step_ = 0;
  double loss_scale_ = 1;              ///< of the last batch
  std::vector<torch::Tensor> losses_;  ///< of the micro-steps, between forward and backward
};

/// Workload factories of the cases; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_char_lm_parallel(const CaseContext& context);
std::unique_ptr<Workload> make_full_char_lm_parallel(const CaseContext& context);
std::unique_ptr<Workload> make_gpu_small_char_lm_parallel(const CaseContext& context);

}  // namespace stepgate
