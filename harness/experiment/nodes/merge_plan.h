// Turns what the nodes handed back into the files and the report of `ab`.
#pragma once

#include <vector>

#include "experiment/nodes/node_results.h"
#include "experiment/plan/case_plan.h"
#include "experiment/results/result_folders.h"

namespace stepgate {

/// The names of the results that the comparison of a plan gives.
std::vector<ResultName> names_of_results(const OpenedPlan& opened);

/// Writes <out>/CASE/ab/ as `ab` does, pairs in the order of the plan, and judges each case. What did not come is left
/// out and named. `run` is of the plan's project, with its `out`. Throws Error(measure) where a case has nothing at
/// all, before anything is written.
JudgedRun merge_plan(const Run& run, const OpenedPlan& opened);

}  // namespace stepgate
