// How a pair's step times compare step by step.
#pragma once

#include <optional>

#include "core/record/run_record.h"

namespace stepgate {

/// ln(head / base) of the typical step of the e2e pass: the median, over steps (windows on an asynchronous clock) that
/// both processes took at the same index and on the same shapes, of ln(head step / base step). Batches of different
/// length, and a machine that is slower for a while, then affect both sides alike; they would not affect two medians
/// alike. Where shapes at the same index differ because one side warmed up for longer, steps on the same batch are
/// compared instead. Swapping the sides only changes the sign. On a shared VM with alternating windows it had half the
/// spread of the ratio of medians (tests/figures/turns.py, docs/figures.md). Absent where the two sides differ in the
/// number of steps, or in what they processed, or where no step was warm.
std::optional<double> matched_step_log(const RunRecord& base, const RunRecord& head);

}  // namespace stepgate
