// Reduces measured pairs to the values that the paired rule compares.
#pragma once

#include <span>

#include "core/record/measured_pair.h"
#include "core/verdict/paired_values.h"

namespace stepgate {

/// One Pair per metric that both clean processes of a pair have, in the order measured (reduce_case.h reduces each
/// process). If steps can be matched (matched_steps.h), the two step times have the geometric mean of the processes'
/// own and the ratio of the matched steps. A pair with a tainted or failed process gives no Pair and counts as tainted;
/// one that was set aside gives none either and is counted apart. The caller, who knows the plan, sets `finished` and
/// `control`.
PairedValues paired_values(std::span<const MeasuredPair> pairs);

/// For A/A pairs, the base build and its A/A copy: the leading time only (core/leading_time.h), which every case has.
ControlResult control_result(std::span<const MeasuredPair> pairs);

/// Pairs without a tainted or failed process.
std::int64_t clean_pairs(std::span<const MeasuredPair> pairs);

}  // namespace stepgate
