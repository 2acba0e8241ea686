#include "core/record/loss_sequences.h"

#include "core/metric.h"

namespace stepgate {

const std::vector<double>* numeric_sequence(const NumericTrace& trace, std::string_view metric) {
  const auto unless_empty = [](const std::vector<double>& values) { return values.empty() ? nullptr : &values; };
  if (metric == "loss") return unless_empty(trace.loss);
  if (metric == "grad_norm") return unless_empty(trace.grad_norm);
  if (metric == "loss_scale") return unless_empty(trace.loss_scale);
  for (const auto& [name, values] : trace.further_losses) {
    if (metric == member_of(further_loss_family, name)) return unless_empty(values);
  }
  return nullptr;
}

std::vector<std::string> numeric_metrics(const NumericTrace& trace) {
  std::vector<std::string> metrics;
  if (!trace.loss.empty()) metrics.emplace_back("loss");
  for (const auto& [name, values] : trace.further_losses) {
    if (!values.empty()) metrics.push_back(member_of(further_loss_family, name));
  }
  if (!trace.grad_norm.empty()) metrics.emplace_back("grad_norm");
  if (!trace.loss_scale.empty()) metrics.emplace_back("loss_scale");
  return metrics;
}

bool same_sequences(const NumericTrace& a, const NumericTrace& b) {
  return a.loss == b.loss && a.grad_norm == b.grad_norm && a.further_losses == b.further_losses &&
         a.loss_scale == b.loss_scale;
}

}  // namespace stepgate
