#include "core/verdict/losses/rounded_traces.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/record/loss_sequences.h"
#include "core/verdict/losses/numeric_tolerance.h"

namespace stepgate {

bool agree_on_a_gpu(const NumericTrace& a, const NumericTrace& b, const std::string& metric,
                    const RoundingLimits& limits) {
  const std::vector<double>* first = numeric_sequence(a, metric);
  const std::vector<double>* second = numeric_sequence(b, metric);
  if (first == nullptr || second == nullptr) return false;
  return agree_up_to_rounding(*first, *second, numeric_tolerance(limits.policy, metric, {Scope::device, limits.dtype}),
                              static_cast<std::size_t>(limits.policy.numeric_steps));
}

bool agree_on_a_gpu(const NumericTrace& a, const NumericTrace& b, const RoundingLimits& limits) {
  const std::vector<std::string> metrics = numeric_metrics(a);
  return metrics == numeric_metrics(b) &&
         std::ranges::all_of(metrics, [&](const std::string& metric) { return agree_on_a_gpu(a, b, metric, limits); });
}

std::set<std::string> nondeterministic_operators(const std::vector<NumericTrace>& traces) {
  std::set<std::string> operators;
  for (const NumericTrace& trace : traces)
    operators.insert(trace.nondeterministic_operators.begin(), trace.nondeterministic_operators.end());
  return operators;
}

std::set<std::string> metrics_that_operators_vary(const std::vector<NumericTrace>& traces,
                                                  const RoundingLimits* limits) {
  std::set<std::string> varying;
  if (nondeterministic_operators(traces).empty()) return varying;
  const NumericTrace& first = traces.front();
  for (const std::string& metric : numeric_metrics(first)) {
    const std::vector<double>& values = *numeric_sequence(first, metric);
    const bool agree = std::ranges::all_of(traces, [&](const NumericTrace& trace) {
      const std::vector<double>* const others = numeric_sequence(trace, metric);
      if (others == nullptr) return true;  // not measured there: another fault than varying values
      return *others == values || (limits != nullptr && agree_on_a_gpu(first, trace, metric, *limits));
    });
    if (!agree) varying.insert(metric);
  }
  return varying;
}

}  // namespace stepgate
