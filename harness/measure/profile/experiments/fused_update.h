// The update of an optimizer in one call over all parameter tensors, with a state of its own.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "measure/profile/experiments/optimizer_seen.h"

namespace stepgate {

struct FusedUpdateOptions {
  FusedUpdateKind kind = FusedUpdateKind::adamw;
  bool clips = false;     ///< scales the gradients to a norm of at most 1 first, as a workload that clips does
  bool momentum = false;  ///< SGD with 0.9
  double learning_rate = 1e-4;
  double weight_decay = 0;
};

class FusedUpdate {
 public:
  /// The state is made here, so that step() allocates as little as an optimizer does. Refers to the same parameters.
  FusedUpdate(const std::vector<torch::Tensor>& parameters, const FusedUpdateOptions& options);

  /// Clips, updates the parameters that have a dense gradient, and drops all gradients.
  void step();

 private:
  FusedUpdateOptions options_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> averages_;  ///< averages of the gradients; empty for SGD without momentum
  std::vector<torch::Tensor> squares_;   ///< empty for SGD, as the next
  std::vector<torch::Tensor> steps_;
};

/// Drops all gradients, as zero_grad() does by default.
void drop_gradients(const std::vector<torch::Tensor>& parameters);

}  // namespace stepgate
