// Whether this node may measure for a plan.
#pragma once

#include <string>

#include "experiment/nodes/node_results.h"

namespace stepgate {

/// Throws Error(usage) where this machine is unlike one that has measured for the plan, unless nodes may differ. GPU
/// and LibTorch are known when a process has ended.
void refuse_unlike_here(const OpenedPlan& opened, const std::string& place, NodeResults& results);

/// The same once more, when results are judged. The text is what differs, "" where nothing does.
std::string allowed_difference(const OpenedPlan& opened, const NodeResults& results);

}  // namespace stepgate
