// From the rounds that the nodes handed back to the files of a sweep.
#pragma once

#include <vector>

#include "core/study/sweep.h"
#include "experiment/nodes/node_results.h"
#include "experiment/plan/case_plan.h"

namespace stepgate {

struct NodeSweep {
  Sweep sweep;
  std::vector<Notice> notices = {};
};

struct SweepEnd {
  int interrupted_by = 0;  ///< the number of a signal
  double seconds = 0;      ///< how long the nodes took; 0: unknown
};

/// Writes <out>/sweep/CASE/sweep.json as `sweep` does, rounds in the order of the plan, and ranks the settings. Each
/// round compares settings on one node, so a node that is slower changes no comparison. What did not come is left out
/// and named. `run` is of the plan's project, with its `out`. Throws Error(measure) where nothing came at all, unless a
/// signal ended the run.
NodeSweep merge_sweep(const Run& run, const OpenedPlan& opened, const SweepEnd& end);

}  // namespace stepgate
