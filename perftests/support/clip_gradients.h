// Gradient clipping by global norm without a host sync.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace stepgate {

/// Scales all gradients by min(1, max_norm / (norm + 1e-6)), where norm is the L2 norm over all of them together, as
/// torch::nn::utils::clip_grad_norm_ does. That function also copies the norm to the host in each step, which drains
/// the queue of a GPU; this one does not. Ignores parameters without a gradient. Returns the norm before clipping, on
/// the device of the gradients; undefined where there are none.
torch::Tensor clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm);

}  // namespace stepgate
