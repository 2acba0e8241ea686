// More padding, and the work on it.
#pragma once

#include "core/verdict/judged_comparison.h"
#include "diagnose/merge/fault.h"

namespace stepgate {

/// Padded tokens are computed, copied and kept like any others: what rose in just the steps that have more padding is
/// part of that cause.
void merge_padding(const JudgedComparison& input, Faults& faults);

}  // namespace stepgate
