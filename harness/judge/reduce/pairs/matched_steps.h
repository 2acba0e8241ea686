// Compares the step times of a pair step by step.
#pragma once

#include <optional>

#include "core/record/run_record.h"

namespace stepgate {

/// ln(head / base) of the typical step of the e2e pass: the median of ln(head step / base step) over the steps (windows
/// on an asynchronous clock) with the same index and the same shapes in both processes. Batch lengths and slow phases
/// of the machine then affect both sides equally; they would affect two separate medians differently. If shapes at the
/// same index differ because one side warmed up for longer, steps on the same batch are compared instead. Swapping the
/// sides only changes the sign. On a shared VM with alternating windows this had half the spread of the ratio of
/// medians (tests/figures/turns.py, docs/figures.md). Absent if the two sides differ in the number of steps or in the
/// work, or if no step was warm.
std::optional<double> matched_step_log(const RunRecord& base, const RunRecord& head);

}  // namespace stepgate
