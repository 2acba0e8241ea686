// Do the losses of two processes of a GPU agree up to rounding? Baselines, verdicts on them and causes ask the same.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "core/stored/policy.h"

namespace stepgate {

struct RoundingLimits {
  const Policy& policy;     ///< its tolerances, over its numeric_steps
  const std::string dtype;  ///< of the case (dtype_of())
};

/// Whether both have this metric and agree_up_to_rounding() (core/verdict/losses/numeric_tolerance.h) in it.
bool agree_on_a_gpu(const NumericTrace& a, const NumericTrace& b, const std::string& metric,
                    const RoundingLimits& limits);

/// Whether both have the same metrics and agree in each.
bool agree_on_a_gpu(const NumericTrace& a, const NumericTrace& b, const RoundingLimits& limits);

/// Operators of all these processes that have no deterministic implementation.
std::set<std::string> nondeterministic_operators(const std::vector<NumericTrace>& traces);

/// The metrics in which processes of one build differ by more than rounding, where such operators are known: no stored
/// value can be held against them. Empty without such an operator. `limits`: nullptr on a CPU, where no rounding is
/// allowed.
std::set<std::string> metrics_that_operators_vary(const std::vector<NumericTrace>& traces,
                                                  const RoundingLimits* limits);

}  // namespace stepgate
