// A step that gives access to its tensors, which the numerics pass and error messages need.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// Where the user's code was last, so that an error message can say which part of it threw.
struct StepPlace {
  Boundary boundary = Boundary::data_wait;
  std::int64_t step = 0;  ///< of this object, from 0; the warm-up counts
};

class TensorStep : public StepActions {
 public:
  /// Between forward() and backward().
  virtual const torch::Tensor& loss() const = 0;
  /// Trainable parameters in a stable order; empty where the user's code does not name them.
  virtual std::vector<torch::Tensor> parameters() const = 0;
  virtual StepPlace place() const = 0;
  /// From now on further_losses() are kept (pass numerics).
  virtual void keep_losses() {}
  /// The losses of the step that ran last which the user's code guards beside loss(), by name. Each is one number.
  virtual std::map<std::string, torch::Tensor> further_losses() const { return {}; }
  /// By parameters() and their gradients.
  void mark_memory(MemoryTrace& trace) const override;
};

/// Throws Error(usage) saying what `given_by` gave, where `loss` is not one number.
void require_number(const torch::Tensor& loss, std::string_view given_by);

/// Throws Error(usage) saying what `given_by` (as "Workload::forward returned") gave, where `loss` is not one number
/// that requires grad.
void require_trainable(const torch::Tensor& loss, std::string_view given_by);

}  // namespace stepgate
