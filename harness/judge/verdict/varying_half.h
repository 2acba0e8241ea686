// The metrics of a case that its policy declares to vary: who is judged, by which values, at which alpha.
#pragma once

#include <cstdint>
#include <optional>

#include "core/metric.h"
#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// The verdict on a measured metric that the policy declares to vary, by the processes of the base build that were
/// measured in between (rules/varying_rule.h). Absent for every other metric, and for a growth that no process is free
/// of: that is a leak, whatever varies.
std::optional<MetricVerdict> judge_varying(const Comparison& input, const Metric& metric, Scope scope);

/// Processes of each build from which the range rule can decide on every varying metric of the case; 0 where it has
/// none. At most 20.
std::int64_t processes_to_judge_varying(const Comparison& input);

}  // namespace stepgate
