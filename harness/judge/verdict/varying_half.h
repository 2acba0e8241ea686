// The metrics of a case that vary between processes of the same code, by its policy or because of operators without a
// deterministic implementation: who is judged, by which values, at which alpha.
#pragma once

#include <cstdint>
#include <optional>

#include "core/metric.h"
#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// The verdict on a measured metric that varies, by the processes of the base build that were measured in between
/// (rules/varying_rule.h). Losses and gradient norms vary where the policy says so, and where the numerics pass met
/// operators without a deterministic implementation and the base differs in them by more than rounding. Absent for
/// every other metric, and for a growth that no process is free of: that is a leak, whatever varies.
std::optional<MetricVerdict> judge_varying(const Comparison& input, const Metric& metric, Scope scope);

/// Processes of each build from which the range rule can decide on every varying metric of the case; 0 where it has
/// none. At most 20.
std::int64_t processes_to_judge_varying(const Comparison& input);

}  // namespace stepgate
