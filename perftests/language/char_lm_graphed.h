// The character model with its whole step as a CUDA graph, one for each length of batches.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/char_lm.h"
#include "stepgate/graphed_step.h"
#include "stepgate/whole_step_workload.h"

namespace stepgate {

/// Calls of each length before it is recorded: the first one makes the state of the optimizer, and one for each length
/// lets the libraries choose their kernels.
inline constexpr std::int64_t char_lm_graph_warm_up = 1;
/// Steps after which all lengths have been recorded: each comes twice within ten steps (token_batches.h).
inline constexpr std::int64_t char_lm_steps_until_recorded = 10;

/// The step of CharLm with the fused optimizer, whose numbers of steps are on the device. Gradients are dropped at the
/// end of a step, as CharLm does.
class CharLmGraphed final : public WholeStepWorkload {
 public:
  CharLmGraphed(const CaseContext& context, const CharLmSize& size, const TextCorpus& corpus);

  Batch next_batch() override { return eager_.next_batch(); }
  torch::Tensor step(const Batch& batch) override { return graphed_(batch.tensors); }
  std::optional<GraphFacts> graphs() const override { return graphed_.facts(); }
  bool hides_operators() const override { return true; }
  void log_step(std::int64_t step, const torch::Tensor& loss) override { eager_.log_step(step, loss); }
  std::vector<torch::Tensor> parameters() const override { return eager_.parameters(); }
  std::string data_digest() const override { return eager_.data_digest(); }

 private:
  torch::Tensor eager_step(const std::vector<torch::Tensor>& inputs);

  CharLm eager_;
  GraphedStep graphed_;
};

/// `full` as a graph; parameters in the context override the size's own.
std::unique_ptr<Workload> make_full_char_lm_graphed(const CaseContext& context);

}  // namespace stepgate
