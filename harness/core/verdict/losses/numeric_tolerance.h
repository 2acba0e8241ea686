// How far a loss, a gradient norm or a scale may lie from its baseline. Judge and diagnose use the same limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/record/fingerprint.h"
#include "core/stored/policy.h"

namespace stepgate {

/// |head - baseline| <= atol + rtol |baseline|.
struct NumericTolerance {
  double rtol = 0;
  double atol = 0;
};

/// The place where a numeric metric was measured.
struct NumericPlace {
  Scope scope = Scope::portable;
  std::string dtype = {};  ///< dtype of the case, "" if unknown
};

/// Fact dtype of a process; "" where it is not known.
std::string dtype_of(const Fingerprint& fingerprint);

/// docs/design/verdicts.md, "Tier numeric".
NumericTolerance numeric_tolerance(const Policy& policy, std::string_view metric, const NumericPlace& place);

/// Kernels of a GPU add by atomic operations, in an order that changes from process to process. Sequences of one
/// program that lie closer than this share of the tolerance, in each step, agree up to rounding
/// (docs/decisions/0042-losses-of-a-gpu-agree-up-to-rounding.md).
inline constexpr double rounding_share = 0.1;

/// Whether both have as many of the first `steps` steps and lie within `rounding_share` of the tolerance in each. False
/// where a value is not finite.
bool agree_up_to_rounding(const std::vector<double>& a, const std::vector<double>& b, const NumericTolerance& tolerance,
                          std::size_t steps);

}  // namespace stepgate
