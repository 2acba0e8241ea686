// The engines that --nodes can name.
#pragma once

#include <string>

#include "experiment/host/quiet_host.h"
#include "experiment/nodes/merge_sweep.h"
#include "experiment/nodes/node_coordinator.h"
#include "experiment/nodes/nodes_text.h"

namespace stepgate {

struct NodesRequest {
  NodesAsked asked = {};
  HostOptions host = {};         ///< of the nodes; for local nodes this process holds the lock of the machine
  std::string launcher_command;  ///< how a shell on a node starts stepgate
};

/// Runs the plan to its end on the engine that was asked for, and merges. After a signal `interrupted_by` is set.
JudgedRun compare_on_nodes(const Run& run, const OpenedPlan& opened, const NodesRequest& request);

/// The same for a sweep; after a signal what is whole is ranked, marked as interrupted.
NodeSweep sweep_on_nodes(const Run& run, const OpenedPlan& opened, const NodesRequest& request);

}  // namespace stepgate
