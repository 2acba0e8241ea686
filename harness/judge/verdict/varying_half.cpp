#include "judge/verdict/varying_half.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/record/loss_sequences.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "core/verdict/losses/rounded_traces.h"
#include "judge/rules/comparable.h"
#include "judge/rules/varying_rule.h"
#include "judge/verdict/gating_metrics.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// With more processes of each build the exact half of a case would take longer than its times.
constexpr std::int64_t most_processes = 20;

/// What operators without a deterministic implementation make vary, as the side shows that is compared with.
std::set<std::string> varied_by_operators(const Comparison& input) {
  const BaselineSide side = exact_side(input);
  if (const CaseValues* base = interleaved_base(input)) {
    const RoundingLimits limits{input.policy, dtype_of(input.current.exact_fingerprint)};
    return metrics_that_operators_vary(base->numerics, side.scope == Scope::device ? &limits : nullptr);
  }
  const bool stored = side.baseline != nullptr && side.baseline->numerics &&
                      !side.baseline->numerics->nondeterministic_operators.empty();
  std::set<std::string> left_out;
  if (!stored) return left_out;
  for (const NumericTrace& trace : input.current.numerics) {
    for (const std::string& metric : numeric_metrics(trace)) {
      if (numeric_sequence(*side.baseline->numerics, metric) == nullptr) left_out.insert(metric);
    }
  }
  return left_out;
}

/// Members of a family by their own names, as far as this case has them.
std::set<std::string> varying_of(const Comparison& input) {
  std::set<std::string> varying = varying_metrics(input.policy.varying, input.current.case_name);
  varying.merge(varied_by_operators(input));
  for (const NumericTrace& trace : input.current.numerics) {
    for (const std::string& metric : numeric_metrics(trace)) {
      if (varies(varying, metric)) varying.insert(metric);
    }
  }
  std::erase_if(varying, [](const std::string& metric) { return find_metric(metric) == nullptr; });
  return varying;
}

/// The shares of all varying metrics of a suite add up to alpha at most. That alpha comes on top of the one of the
/// timed half, as that of final_loss does. M counts five metrics per case, six on a GPU; a case with more varying ones
/// divides its part.
double share_of(const Comparison& input) {
  const auto varying = varying_of(input);
  const auto gating =
      std::count_if(varying.begin(), varying.end(), [](const std::string& name) { return find_metric(name)->gates; });
  const double crowd = static_cast<double>(gating) / static_cast<double>(gating_timed_metrics_per_case(input.device));
  const auto hypotheses = static_cast<double>(std::max<std::int64_t>(1, input.hypotheses));
  return input.policy.alpha / (hypotheses * std::max(1.0, crowd));
}

void add_mean_of_first(std::span<const double> steps, std::int64_t compared, std::vector<double>& values) {
  const auto count = std::min(steps.size(), static_cast<std::size_t>(compared));
  if (count > 0) values.push_back(mean(steps.first(count)));
}

/// One value per process: the range rule compares no steps, because those of one process resemble each other.
std::vector<double> process_values(const CaseValues& side, const Metric& metric, const Policy& policy) {
  const std::string name(metric.name);
  std::vector<double> values;
  if (const auto exact = side.exact.find(name); exact != side.exact.end()) {
    for (const auto& steps : exact->second) {
      const std::vector<double> counted(steps.begin(), steps.end());
      add_mean_of_first(counted, std::ssize(counted), values);
    }
  }
  if (const auto bytes = side.bytes.find(name); bytes != side.bytes.end())
    values.assign(bytes->second.begin(), bytes->second.end());
  for (const NumericTrace& trace : side.numerics) {
    if (const auto* steps = numeric_sequence(trace, name)) add_mean_of_first(*steps, policy.numeric_steps, values);
  }
  return values;
}

}  // namespace

std::optional<MetricVerdict> judge_varying(const Comparison& input, const Metric& metric, Scope scope) {
  if (!varying_of(input).contains(std::string(metric.name))) return std::nullopt;
  const std::vector<double> current = process_values(input.current, metric, input.policy);
  if (current.empty()) return std::nullopt;
  std::vector<double> base;
  if (const CaseValues* measured = interleaved_base(input)) base = process_values(*measured, metric, input.policy);
  const auto all_grow = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
  };
  const bool base_grows = !base.empty() && all_grow(base);
  if (is_from_zero(metric.reference) && all_grow(current) && !base_grows) return std::nullopt;
  MetricVerdict verdict = open_verdict(metric, scope);
  apply_varying_rule(metric, {.current = current, .base = base, .share = share_of(input)}, verdict);
  return verdict;
}

std::int64_t processes_to_judge_varying(const Comparison& input) {
  const double share = share_of(input);
  std::int64_t needed = 0;
  for (const std::string& name : varying_of(input)) {
    const Metric& metric = *find_metric(name);
    std::int64_t processes = 1;
    while (processes < most_processes && range_rule_chance(metric, processes, processes) > share) ++processes;
    if (metric.gates) needed = std::max(needed, processes);
  }
  return needed;
}

}  // namespace stepgate
