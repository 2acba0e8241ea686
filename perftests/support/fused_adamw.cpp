#include "support/fused_adamw.h"

#include <stdexcept>
#include <utility>

namespace stepgate {

FusedAdamW::FusedAdamW(std::vector<torch::Tensor> parameters, const torch::optim::AdamWOptions& options)
    : parameters_(std::move(parameters)), options_(options), states_(parameters_.size()) {
  if (options_.amsgrad()) throw std::invalid_argument("FusedAdamW: amsgrad is not supported");
}

void FusedAdamW::step(const FusedScaling& scaling) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> parameters;
  std::vector<torch::Tensor> gradients;
  std::vector<torch::Tensor> averages;
  std::vector<torch::Tensor> squares;
  std::vector<torch::Tensor> steps;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const torch::Tensor& parameter = parameters_[i];
    if (!parameter.grad().defined()) continue;
    State& state = states_[i];
    if (!state.average.defined()) {
      state = {torch::zeros_like(parameter), torch::zeros_like(parameter),
               torch::zeros({}, parameter.options().dtype(torch::kFloat32))};
    }
    parameters.push_back(parameter);
    gradients.push_back(parameter.grad());
    averages.push_back(state.average);
    squares.push_back(state.square);
    steps.push_back(state.steps);
  }
  if (parameters.empty()) return;
  at::_foreach_add_(steps, 1);  // the kernel reads the number of this step
  const auto [beta1, beta2] = options_.betas();
  at::_fused_adamw_(parameters, gradients, averages, squares, /*max_exp_avg_sqs=*/{}, steps, options_.lr(), beta1,
                    beta2, options_.weight_decay(), options_.eps(), /*amsgrad=*/false, /*maximize=*/false,
                    scaling.grad_scale, scaling.found_inf);
  // A skipped step must not count in the bias correction of the next one.
  if (scaling.found_inf) at::_foreach_sub_(steps, std::vector<torch::Tensor>(steps.size(), *scaling.found_inf));
}

}  // namespace stepgate
