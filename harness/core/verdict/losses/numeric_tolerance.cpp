#include "core/verdict/losses/numeric_tolerance.h"

#include <algorithm>
#include <cmath>

namespace stepgate {

std::string dtype_of(const Fingerprint& fingerprint) {
  const auto dtype = fingerprint.find("dtype");
  return dtype == fingerprint.end() ? "" : dtype->second;
}

NumericTolerance numeric_tolerance(const Policy& policy, std::string_view metric, const NumericPlace& place) {
  // A scale is a power of the growth factor: it has no rounding, so another value is another sequence of overflows.
  if (metric == "loss_scale") return {};
  // Another CPU rounds otherwise, even under the pins of a portable baseline, and low precision makes more of it: the
  // policy has a number of its own (docs/decisions/0022).
  const bool is_low = place.dtype == "bfloat16" || place.dtype == "float16";
  if (is_low && place.scope == Scope::portable) return {policy.low_precision_rtol, 0};
  // No absolute tolerance for gradient norms: they have no common scale across a suite.
  if (metric == "grad_norm") return {policy.grad_norm_rtol, 0};
  return {policy.loss_rtol, policy.loss_atol};
}

bool agree_up_to_rounding(const std::vector<double>& a, const std::vector<double>& b, const NumericTolerance& tolerance,
                          std::size_t steps) {
  const std::size_t compared = std::min(steps, a.size());
  if (std::min(steps, b.size()) != compared) return false;
  for (std::size_t i = 0; i < compared; ++i) {
    if (!std::isfinite(a[i])) return false;
    const double allowed = rounding_share * (tolerance.atol + tolerance.rtol * std::abs(a[i]));
    if (!(std::abs(a[i] - b[i]) <= allowed)) return false;
  }
  return true;
}

}  // namespace stepgate
