// Runs a plan to its end over the nodes of one engine: submits shards, and sends what is missing once more.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment/nodes/plan/plan_folder.h"
#include "experiment/plan/case_plan.h"
#include "launch/runners/node_runner.h"

namespace stepgate {

/// Attempts at one pair in one run of the coordinator. An attempt on a node that calls itself unfit does not count.
inline constexpr std::int64_t most_node_attempts = 2;

struct Coordination {
  std::vector<std::string> shard_options = {};
  /// Called when nothing more comes, while no other coordinator can begin; `interrupted_by` is the number of a signal.
  std::function<void(int interrupted_by)> at_the_end;
  /// Called once no other coordinator can begin, before anything is submitted.
  std::function<void()> at_the_start = [] {};
};

/// Submits what is missing and waits until every case is decided or nothing more can come. One coordinator at a time:
/// Error(measure) where another holds the plan. After a signal the jobs are cancelled: the same call goes on with what
/// is there.
void coordinate_nodes(const Run& run, const OpenedPlan& opened, NodeRunner& runner, const Coordination& coordination);

}  // namespace stepgate
