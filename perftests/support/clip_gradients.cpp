#include "support/clip_gradients.h"

namespace stepgate {

torch::Tensor clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  if (gradients.empty()) return {};
  torch::Tensor norm = torch::stack(at::_foreach_norm(gradients)).norm();
  const torch::Tensor factor = (norm + 1e-6).reciprocal_().mul_(max_norm).clamp_max_(1.0);
  at::_foreach_mul_(gradients, factor);
  return norm;
}

}  // namespace stepgate
