// Plans a comparison of two builds for nodes.
#pragma once

#include <optional>

#include "experiment/ab.h"
#include "experiment/nodes/plan/plan_folder.h"

namespace stepgate {

struct NodePlanOptions {
  AbOptions ab = {};
  std::int64_t shards = 1;
  bool mixed_nodes = false;
  std::optional<NodeLayout> layout = {};  ///< absent: by case where there are as many cases as nodes, else by round
};

struct MadePlan {
  OpenedPlan opened;
  bool resumed = false;  ///< the same comparison was begun there before, and goes on
  std::vector<Notice> notices = {};
};

/// Copies programs, manifest and policies to `folder` and writes the plan. A plan of the same comparison that is not
/// finished stays as it is. Measures nothing, so a machine without a GPU may plan. Throws as run_ab() does.
MadePlan make_node_plan(const Project& head, const std::filesystem::path& folder, const NodePlanOptions& options,
                        const Caller& caller);

/// The plan is finished: the next one in this folder begins anew.
void finish_node_plan(const OpenedPlan& opened);

}  // namespace stepgate
