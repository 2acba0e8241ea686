// A step that gives access to its tensors, which the numerics pass and error messages need.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary.h"
#include "core/process_place.h"
#include "measure/step/step_actions.h"
#include "measure/step/step_facts.h"
#include "measure/step/torch_loss_watch.h"
#include "stepgate/workload.h"

namespace stepgate {

class TensorStep : public StepActions, public StepWatch, public StepScaling {
 public:
  /// After loss_boundary(), and before boundary backward where there is one.
  virtual const torch::Tensor& loss() const = 0;
  /// The boundary that computes the loss.
  virtual Boundary loss_boundary() const { return Boundary::forward; }
  /// Trainable parameters in a stable order; empty where the user's code does not name them.
  virtual std::vector<torch::Tensor> parameters() const = 0;
  /// From now on this step writes its place there, so that the launcher can tell after a crash. `place` must outlive
  /// this.
  void note_place_in(StepPlace& place) { place_ = &(place = *place_); }
  /// The place where the user's code is, or was last.
  const StepPlace& place() const { return *place_; }
  /// From now on further_losses() are kept (pass numerics).
  virtual void keep_losses() {}
  /// The losses of the step that ran last which the user's code guards beside loss(), by name. Each is one number.
  virtual std::map<std::string, torch::Tensor> further_losses() const { return {}; }
  /// Says which losses take_losses() tells of.
  LossWatch& loss_watch() { return losses_; }
  /// The losses of the steps since it was last called, as LossWatch::take().
  PassLosses take_losses();
  /// What the user's loss scaler says, outside of boundaries; absent where no loss is scaled.
  virtual std::optional<LossScaling> loss_scaling() const { return std::nullopt; }
  StepAbilities abilities() override { return {.watch = this, .scaling = this}; }
  /// What the run record says of this form of step, and of the user's code in it. Called after each pass.
  virtual StepFacts facts(const PassSeen& seen) const = 0;
  /// Ends the user's code after the last step. Throws what it throws. Nothing else may be called after it.
  virtual void finish() {}
  std::optional<std::int64_t> skipped_updates() const override;
  /// Marks the memory of parameters() and their gradients.
  void mark_memory(MemoryTrace& trace) const override;

 protected:
  TensorStep() = default;
  TensorStep(const TensorStep&) = delete;
  TensorStep& operator=(const TensorStep&) = delete;

  /// Three stores into memory that is mapped already: no call, no lock, no allocation inside a measured window. They
  /// cannot be left out, since the error message of every workload needs them, and they come before the user's code.
  void enter(Boundary boundary, std::int64_t step) {
    place_->step = step;
    place_->boundary = static_cast<std::uint32_t>(boundary);
    place_->is_in_step = 1;
  }
  void leave_step(std::int64_t next_step) {
    place_->step = next_step;
    place_->is_in_step = 0;
  }
  void name_place(Boundary boundary, std::string_view name) { place_->set_name(boundary, name); }
  /// Called once a step for each of its losses, where the loss is computed. It adds a few instructions to the step.
  void watch_loss(LossSlot slot, const torch::Tensor& loss, std::int64_t step) { losses_.note(slot, loss, step); }

 private:
  StepPlace own_place_;
  StepPlace* place_ = &own_place_;
  LossWatch losses_;
};

/// Throws Error(usage) saying what `given_by` gave, where `loss` is not one number.
void require_number(const torch::Tensor& loss, std::string_view given_by);

/// Throws Error(usage) saying what `given_by` (as "Workload::forward returned") gave, where `loss` is not one number
/// that requires grad.
void require_trainable(const torch::Tensor& loss, std::string_view given_by);

}  // namespace stepgate
