// Gradient clipping by global norm that never makes the host wait for the device.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace stepgate {

/// Scales all gradients by min(1, max_norm / (norm + 1e-6)), norm the L2 norm over all of them together: what
/// torch::nn::utils::clip_grad_norm_ does, less the norm that it copies back to the host each step (its header says
/// so; on a GPU that drains the queue). Parameters without a gradient are passed over.
void clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm);

}  // namespace stepgate
