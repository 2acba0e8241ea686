// How a pair's step times compare step by step.
#pragma once

#include <optional>

#include "core/record/run_record.h"

namespace stepgate {

/// ln(head / base) of the typical step of the e2e pass: the median, over steps (windows on an asynchronous clock) that
/// both processes took at the same place and on the same shapes, of ln(head step / base step). Batches of unlike
/// length, and a machine that is slower for a while, are then the same for both; of two medians neither is. Where
/// shapes at the same place differ because one side warmed up for longer, steps on the same batch are compared instead.
/// Swapping the sides changes its sign and nothing else. On a shared VM, pairs in turns, it had half the spread of the
/// ratio of medians (tests/figures/turns.py, docs/figures.md). Absent where the two differ in the number of steps, or
/// in what they processed, or where no step was warm.
std::optional<double> matched_step_log(const RunRecord& base, const RunRecord& head);

}  // namespace stepgate
