// Plans a sweep for nodes.
#pragma once

#include "experiment/nodes/plan/plan_folder.h"
#include "experiment/plan/caller.h"
#include "experiment/swept/run_sweep.h"

namespace stepgate {

struct NodeSweepOptions {
  SweepOptions sweep = {};
  std::int64_t shards = 1;
  bool mixed_nodes = false;
};

/// Copies program, manifest and policy to `folder` and writes the plan: round i goes to node i mod shards + 1, with all
/// its settings. A plan of the same sweep that is not finished stays as it is. Starts the program once, to ask for its
/// parameters. Throws as run_sweep() does.
OpenedPlan make_sweep_plan(const Project& project, const std::filesystem::path& folder, const NodeSweepOptions& options,
                           const Caller& caller);

/// The sweep is finished: the next one in this folder begins anew.
void finish_sweep_plan(const OpenedPlan& opened);

}  // namespace stepgate
