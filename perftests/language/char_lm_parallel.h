// The character model of char_lm trained by several ranks: each takes its rows of a global batch, gradients are
// averaged over all of them. Guards what data-parallel training adds: exchange, its overlap with backward,
// accumulation.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "language/char_lm.h"
#include "language/char_lm_parallel_size.h"
#include "support/gradient_exchange.h"

namespace stepgate {

/// The rows of a step's global batch are those of char_lm; rank r takes the r-th run of them, so what is trained
/// depends on neither ranks nor micro-steps. Tokens weigh equally over all ranks, however much padding a rank has: each
/// loss is the sum over its targets times ranks over all targets of the step, its mean over ranks is the loss of the
/// whole batch.
///
/// With micro-steps a batch holds two tensors for each. forward() runs all of them and returns the sum of their losses,
/// backward() then takes one after the other; so their graphs live side by side, where a loop of one's own has one at a
/// time: the harness cuts a step at each boundary once.
///
/// With one rank it trains alone and exchanges nothing.
class CharLmParallel : public CharLm {
 public:
  CharLmParallel(const CaseContext& context, const CharLmParallelSize& size);
  /// Learns a text that was read already, with ranks that have met already (null: alone).
  CharLmParallel(const CaseContext& context, const CharLmParallelSize& size, const TextCorpus& corpus, RankGroup group);

  Batch next_batch() override;
  torch::Tensor forward(const Batch& batch) override;
  void backward(const torch::Tensor& loss) override;
  std::optional<Communication> communication() const override;

 private:
  CharLmParallelSize size_;
  std::int64_t rank_;
  std::int64_t ranks_;
  std::int64_t rows_;  ///< of one micro-step
  std::optional<GradientExchange> exchange_;
  std::int64_t step_ = 0;
  double loss_scale_ = 1;              ///< of the batch that came last
  std::vector<torch::Tensor> losses_;  ///< of the micro-steps, between forward and backward
};

/// Workload factories of the cases; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_char_lm_parallel(const CaseContext& context);
std::unique_ptr<Workload> make_full_char_lm_parallel(const CaseContext& context);

}  // namespace stepgate
