// Measured pairs reduced to what the paired rule compares.
#pragma once

#include <span>

#include "core/record/measured_pair.h"
#include "core/verdict/paired_values.h"

namespace stepgate {

/// One Pair per metric that both clean processes of a pair have (case_values.h says how a process becomes a value), in
/// the order measured. Where steps can be matched (matched_steps.h), the two step times have the geometric mean of the
/// processes' own and the ratio of the matched steps. A pair with a tainted or failed process gives none and counts as
/// tainted. `finished` and `control` are left to the caller, who knows the plan.
PairedValues paired_values(std::span<const MeasuredPair> pairs);

/// Of A/A pairs, the base build and its byte copy: `metric` only.
ControlResult control_result(std::span<const MeasuredPair> pairs, const std::string& metric);

/// Pairs without a tainted or failed process.
std::int64_t clean_pairs(std::span<const MeasuredPair> pairs);

}  // namespace stepgate
