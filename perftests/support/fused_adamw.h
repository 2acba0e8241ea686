// AdamW in one call over all parameter tensors. torch::optim::AdamW of C++ updates one tensor after the other, in some
// thirty operators each.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "stepgate/amp.h"

namespace stepgate {

/// Updates as torch::optim::AdamW does, up to rounding. No amsgrad.
class FusedAdamW {
 public:
  FusedAdamW(std::vector<torch::Tensor> parameters, const torch::optim::AdamWOptions& options);

  /// Updates the parameters that have a gradient. With `scaling` (GradScaler::step_fused) the kernel unscales the
  /// gradients, and an overflow leaves parameters, moments and numbers of steps as they were.
  void step(const FusedScaling& scaling = {});
  const std::vector<torch::Tensor>& parameters() const { return parameters_; }

 private:
  /// The state of a parameter that had a gradient once, at its place.
  struct State {
    torch::Tensor average;
    torch::Tensor square;
    torch::Tensor steps;
  };

  std::vector<torch::Tensor> parameters_;
  torch::optim::AdamWOptions options_;
  std::vector<State> states_;
};

}  // namespace stepgate
