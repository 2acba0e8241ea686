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

}  // namespace stepgate
