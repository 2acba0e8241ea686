#include "measure/profile/experiments/fused_update.h"

namespace stepgate {
namespace {

constexpr double clipped_norm = 1.0;
constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;
constexpr double sgd_momentum = 0.9;

/// The tensors of one update: those with a dense gradient, since no fused update takes others.
struct UpdatedTensors {
  std::vector<torch::Tensor> parameters;
  std::vector<torch::Tensor> gradients;
  std::vector<torch::Tensor> averages;
  std::vector<torch::Tensor> squares;
  std::vector<torch::Tensor> steps;
};

void clip_to_one(const std::vector<torch::Tensor>& gradients) {
  const torch::Tensor norm = torch::stack(at::_foreach_norm(gradients)).norm();
  at::_foreach_mul_(gradients, (norm + 1e-6).reciprocal_().mul_(clipped_norm).clamp_max_(1.0));
}

}  // namespace

FusedUpdate::FusedUpdate(const std::vector<torch::Tensor>& parameters, const FusedUpdateOptions& options)
    : options_(options), parameters_(parameters) {
  const torch::NoGradGuard no_grad;
  const bool is_sgd = options.kind == FusedUpdateKind::sgd;
  for (const torch::Tensor& parameter : parameters) {
    if (!is_sgd || options.momentum) averages_.push_back(torch::zeros_like(parameter));
    if (is_sgd) continue;
    squares_.push_back(torch::zeros_like(parameter));
    steps_.push_back(torch::zeros({}, parameter.options().dtype(torch::kFloat32)));
  }
}

void FusedUpdate::step() {
  const torch::NoGradGuard no_grad;
  UpdatedTensors live;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const torch::Tensor& gradient = parameters_[i].grad();
    if (!gradient.defined() || gradient.layout() != torch::kStrided) continue;
    live.parameters.push_back(parameters_[i]);
    live.gradients.push_back(gradient);
    if (!averages_.empty()) live.averages.push_back(averages_[i]);
    if (options_.kind == FusedUpdateKind::sgd) continue;
    live.squares.push_back(squares_[i]);
    live.steps.push_back(steps_[i]);
  }
  if (live.gradients.empty()) return drop_gradients(parameters_);
  if (options_.clips) clip_to_one(live.gradients);
  if (options_.kind == FusedUpdateKind::sgd) {
    at::_fused_sgd_(live.parameters, live.gradients, live.averages, options_.weight_decay,
                    options_.momentum ? sgd_momentum : 0, options_.learning_rate, /*dampening=*/0, /*nesterov=*/false,
                    /*maximize=*/false, /*is_first_step=*/false);
  } else {
    at::_foreach_add_(live.steps, 1);  // the kernel only reads them
    at::_fused_adamw_(live.parameters, live.gradients, live.averages, live.squares, /*max_exp_avg_sqs=*/{}, live.steps,
                      options_.learning_rate, beta1, beta2, options_.weight_decay, epsilon, /*amsgrad=*/false,
                      /*maximize=*/false);
  }
  drop_gradients(parameters_);
}

void drop_gradients(const std::vector<torch::Tensor>& parameters) {
  for (torch::Tensor parameter : parameters) parameter.mutable_grad().reset();
}

}  // namespace stepgate
