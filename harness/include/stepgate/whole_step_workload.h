// A training job whose step is one call: compiled ahead of time, or replayed as a CUDA graph (graphed_step.h). It has
// no forward, backward and optimizer of its own, so stepgate measures the whole step as one boundary, "whole_step".
//
//   class Compiled final : public stepgate::WholeStepWorkload {
//     Batch next_batch() override;
//     torch::Tensor step(const Batch& batch) override { return package_.run(state_, batch.tensors); }
//     std::vector<torch::Tensor> parameters() const override { return state_.parameters; }
//   };
//
// docs/compiled_steps.md says what a compiled step measures and what it does not.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "stepgate/graph_facts.h"
#include "stepgate/workload.h"

namespace stepgate {

class WholeStepWorkload : public Workload {
 public:
  /// Boundary whole_step: forward, backward and the update of the parameters, on the device. `batch` has the copies of
  /// the tensors on the device. Returns the loss before the update, one number; it need not require grad. Gradients
  /// that are still in parameters()[i].grad() afterwards are guarded as gradient norms.
  virtual torch::Tensor step(const Batch& batch) = 0;

  /// True where the step's products do not pass LibTorch's dispatcher, as in compiled code. FLOPs and bytes touched are
  /// then absent with that reason, since their counters see operators only.
  virtual bool hides_operators() const { return false; }

  /// Facts of a step that is a CUDA graph (graphed_step.h); absent for another step. Called between steps, in exact
  /// passes, and in all passes after the first step.
  virtual std::optional<GraphFacts> graphs() const { return std::nullopt; }

  /// Seconds that it took to compile the step ahead of time, once, before this program ran; absent where that is not
  /// known. Kept in the fingerprint, for `stepgate report --twin`, which says after how many steps that has paid.
  virtual std::optional<std::int64_t> compile_seconds() const { return std::nullopt; }

  StepForm step_form() const final { return StepForm::whole_step; }

  // These are never called: step() does their work.
  torch::Tensor forward(const Batch& /*batch*/) final { refuse("forward"); }
  void backward(const torch::Tensor& /*loss*/) final { refuse("backward"); }
  void optimizer_step() final { refuse("optimizer_step"); }

 private:
  [[noreturn]] static void refuse(const char* function) {
    throw std::logic_error(std::string(function) + "() of a workload whose step is one call: call step()");
  }
};

}  // namespace stepgate
