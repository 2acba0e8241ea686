#include "measure/passes/exact/numerics_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "core/error.h"
#include "measure/step/boundary_action.h"
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

/// The norm of the gradients of the loss itself. Those that the pass finds are multiplied by `scale`, a power of two,
/// so that the quotient is exact.
double gradient_norm(const std::vector<torch::Tensor>& parameters, double scale) {
  double sum = 0;
  for (const torch::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) sum += squared_norm(parameter.grad().to_dense());
  }
  return std::sqrt(sum) / scale;
}

/// 1 where the workload scales no loss.
double scale_of(const TensorStep& step) { return step.loss_scaling().value_or(LossScaling{}).scale; }

/// A step that is one call may keep its gradients, or not.
bool gives_gradients(const TensorStep& step, Boundary boundary) {
  const std::vector<torch::Tensor> parameters = step.parameters();
  if (boundary == Boundary::backward) return !parameters.empty();
  return boundary == step.loss_boundary() && is_own(boundary) &&
         std::any_of(parameters.begin(), parameters.end(),
                     [](const torch::Tensor& parameter) { return parameter.grad().defined(); });
}

void require_first_losses(const std::map<std::string, torch::Tensor>& found, std::int64_t step,
                          const NumericTrace& trace) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::usage, what, "give the same losses in every step");
  };
  for (const auto& [name, loss] : found) {
    if (trace.further_losses.contains(name)) continue;
    refuse(fmt::format("step {} gave the loss \"{}\", but step 0 gave none", step, name));
  }
  for (const auto& [name, values] : trace.further_losses) {
    if (!found.contains(name)) refuse(fmt::format("step {} gave no loss \"{}\", but step 0 did", step, name));
  }
}

/// Appends those of one step.
void add_further_losses(const std::map<std::string, torch::Tensor>& found, std::int64_t step, NumericTrace& trace,
                        FnvHash& losses) {
  if (step > 0) require_first_losses(found, step, trace);
  for (const auto& [name, loss] : found) {
    trace.further_losses[name].push_back(loss.item<double>());
    add_bits(losses, loss);
  }
}

void record_step(TensorStep& step, std::int64_t number, NumericTrace& trace, FnvHash& losses) {
  run_boundaries(
      step, number, [](Boundary) {},
      [&](Boundary boundary) {
        if (boundary == step.loss_boundary()) {
          const torch::Tensor loss = step.loss().detach();
          trace.loss.push_back(loss.item<double>());
          add_bits(losses, loss);
        }
        if (gives_gradients(step, boundary)) {
          const double scale = boundary == Boundary::backward ? scale_of(step) : 1;
          trace.grad_norm.push_back(gradient_norm(step.parameters(), scale));
        }
      });
  add_further_losses(step.further_losses(), number, trace, losses);
  if (const auto scaling = step.loss_scaling()) trace.loss_scale.push_back(scaling->scale);
  step.release();
}

}  // namespace

NumericTrace run_numerics(TensorStep& step, const NumericsRun& run) {
  require_positive({"numerics", run.steps});
  const DeterministicScope deterministic(run.determinism);
  std::optional<NondeterminismWatch> watch;
  if (run.determinism == Determinism::where_it_exists) watch.emplace();
  step.keep_losses();
  NumericTrace trace;
  FnvHash losses;
  for (std::int64_t i = 0; i < run.steps; ++i) {
    record_step(step, i, trace, losses);
    run.at_step_end(i);
  }
  FnvHash weights;
  for (const torch::Tensor& parameter : step.parameters()) add_bits(weights, parameter);
  trace.loss_digest = hex_text(losses);
  if (!step.parameters().empty()) trace.parameter_digest = hex_text(weights);
  if (watch) trace.nondeterministic_operators = watch->operators();
  return trace;
}

}  // namespace stepgate
