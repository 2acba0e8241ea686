// From what the nodes handed back to the files and the report of `ab`.
#pragma once

#include "experiment/nodes/node_results.h"
#include "experiment/plan/case_plan.h"

namespace stepgate {

/// Writes <out>/CASE/ab/ as `ab` does, pairs in the order of the plan, and judges each case. What did not come is left
/// out and named. `run` is of the plan's project, with its `out`. Throws Error(measure) where a case has nothing at
/// all.
JudgedRun merge_plan(const Run& run, const OpenedPlan& opened);

}  // namespace stepgate
