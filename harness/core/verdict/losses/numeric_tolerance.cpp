#include "core/verdict/losses/numeric_tolerance.h"

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

}  // namespace stepgate
