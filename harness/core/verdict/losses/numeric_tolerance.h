// How far a loss, a gradient norm or a scale may lie from its baseline. Judge and diagnose use the same limits.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace stepgate
