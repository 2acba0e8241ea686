// The node that this process runs on.
#pragma once

#include <string>

#include "experiment/nodes/node_results.h"
#include "experiment/plan/measured_host.h"

namespace stepgate {

/// The block that results of this process belong to: "node3 CPU 0-7 GPU-1".
std::string place_here(const MeasuredHost& host);

/// Throws Error(usage) where this machine is unlike one that has measured for the plan, unless nodes may differ. GPU
/// and LibTorch are known when a process has ended.
void refuse_unlike_here(const OpenedPlan& opened, const std::string& place, NodeResults& results);

/// The same once more, when results are judged. The text is what differs, "" where nothing does.
std::string allowed_difference(const OpenedPlan& opened, const NodeResults& results);

}  // namespace stepgate
