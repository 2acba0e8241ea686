// The character model of char_lm trained as large models are: gradients of several micro-batches add up to one update,
// the learning rate follows a schedule, checkpoints are saved, and telemetry is written. Guards these four parts.
#pragma once

#include <memory>

#include "language/char_lm.h"
#include "language/char_lm_accumulated_size.h"
#include "stepgate/telemetry.h"
#include "support/log_folder.h"

namespace stepgate {

/// A step is one micro-batch; every size.micro_batches-th of them updates the parameters, with the mean of their
/// gradients. Loss, learning rate and gradient norm of an update are recorded in log_step.
class CharLmAccumulated : public CharLm {
 public:
  /// Reads the text from context.data_dir. Throws DataError if that is missing or altered.
  CharLmAccumulated(const CaseContext& context, const CharLmAccumulatedSize& size);
  /// Learns the given text.
  CharLmAccumulated(const CaseContext& context, const CharLmAccumulatedSize& size, const TextCorpus& corpus);

  void backward(const torch::Tensor& loss) override;
  void optimizer_step() override;
  void log_step(std::int64_t step, const torch::Tensor& loss) override;
  /// Weights and the state of the optimizer, in one file.
  bool save_checkpoint(const std::filesystem::path& path) override;

  std::int64_t updates() const { return updates_; }  ///< done so far

 protected:
  /// Of the update that comes next. A test replaces it by one that stands still.
  virtual double learning_rate() const;

 private:
  CharLmAccumulatedSize size_;
  std::int64_t micro_batch_ = 0;  ///< of the update that comes next
  std::int64_t updates_ = 0;
  torch::Tensor gradient_norm_;  ///< of the last update, before clipping
  LogFolder log_folder_;
  Telemetry telemetry_;  ///< before its folder goes, it writes what is left
};

/// Workload factory of the case; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_char_lm_accumulated(const CaseContext& context);

}  // namespace stepgate
