#include "measure/passes/numerics_pass.h"

#include <ATen/Context.h>

#include <cmath>

#include "measure/step/step_checks.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

void add_bits(FnvHash& hash, const torch::Tensor& tensor) {
  const torch::Tensor host = tensor.detach().cpu().contiguous();
  hash.add(host.const_data_ptr(), host.nbytes());
}

double squared_norm(const torch::Tensor& gradient) {
  const torch::Tensor host = gradient.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  const double* const values = host.const_data_ptr<double>();
  double sum = 0;
  for (std::int64_t i = 0; i < host.numel(); ++i) sum += values[i] * values[i];
  return sum;
}

double gradient_norm(const std::vector<torch::Tensor>& parameters) {
  double sum = 0;
  for (const torch::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) sum += squared_norm(parameter.grad().to_dense());
  }
  return std::sqrt(sum);
}

}  // namespace

DeterministicScope::DeterministicScope()
    : algorithms_(at::globalContext().deterministicAlgorithms()),
      warn_only_(at::globalContext().deterministicAlgorithmsWarnOnly()),
      fill_(at::globalContext().deterministicFillUninitializedMemory()),
      cudnn_deterministic_(at::globalContext().deterministicCuDNN()),
      cudnn_benchmark_(at::globalContext().benchmarkCuDNN()) {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(true, /*warn_only=*/true);
  context.setDeterministicFillUninitializedMemory(false);
  context.setDeterministicCuDNN(true);
  context.setBenchmarkCuDNN(false);
}

DeterministicScope::~DeterministicScope() {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(algorithms_, warn_only_);
  context.setDeterministicFillUninitializedMemory(fill_);
  context.setDeterministicCuDNN(cudnn_deterministic_);
  context.setBenchmarkCuDNN(cudnn_benchmark_);
}

NumericTrace run_numerics(TensorStep& step, std::int64_t steps) {
  require_positive({"numerics", steps});
  const DeterministicScope deterministic;
  NumericTrace trace;
  FnvHash losses;
  for (std::int64_t i = 0; i < steps; ++i) {
    step.load();
    step.copy_to_device();
    step.forward();
    const torch::Tensor loss = step.loss().detach();
    trace.loss.push_back(loss.item<double>());
    add_bits(losses, loss);
    step.backward();
    const std::vector<torch::Tensor> parameters = step.parameters();
    if (!parameters.empty()) trace.grad_norm.push_back(gradient_norm(parameters));
    step.optimizer_step();
    step.log(i);
    step.release();
  }
  FnvHash weights;
  for (const torch::Tensor& parameter : step.parameters()) add_bits(weights, parameter);
  trace.loss_digest = hex_text(losses);
  if (!step.parameters().empty()) trace.parameter_digest = hex_text(weights);
  return trace;
}

}  // namespace stepgate
