// The engines that --nodes can name.
#pragma once

#include <optional>
#include <string>

#include "experiment/host/quiet_host.h"
#include "experiment/nodes/merge_sweep.h"
#include "experiment/nodes/node_coordinator.h"
#include "experiment/plan/nodes_text.h"

namespace stepgate {

struct NodesRequest {
  NodesAsked asked = {};
  HostOptions host = {};         ///< options of the nodes
  std::string launcher_command;  ///< how a shell on a node starts stepgate
};

/// Local nodes measure on this machine, so its lock must be held before their plan is made and until they have ended: a
/// plan replaces files. Absent for other engines. Throws as RunLock::acquire.
std::optional<RunLock> lock_of_local_nodes(const NodesAsked& asked, const HostOptions& host, const Caller& caller);

/// Runs the plan to its end on the engine that was asked for, and merges. After a signal `interrupted_by` is set.
JudgedRun compare_on_nodes(const Run& run, const OpenedPlan& opened, const NodesRequest& request);

/// The same for a sweep; after a signal what is whole is ranked, marked as interrupted.
NodeSweep sweep_on_nodes(const Run& run, const OpenedPlan& opened, const NodesRequest& request);

}  // namespace stepgate
