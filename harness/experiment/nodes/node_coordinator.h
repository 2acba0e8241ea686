// Runs a plan to its end over the nodes of one engine: submits shards, sends what is missing once more, merges.
#pragma once

#include "experiment/host/quiet_host.h"
#include "experiment/nodes/make_plan.h"
#include "experiment/plan/case_plan.h"
#include "launch/runners/node_runner.h"

namespace stepgate {

/// Attempts at one pair in one run of the coordinator. A node that says that it is unfit costs none.
inline constexpr std::int64_t most_node_attempts = 2;

/// Submits what is missing, waits until every case is decided or nothing more can come, and merges into `out`. One
/// coordinator at a time: Error(measure) where another holds the plan. After a signal the jobs are cancelled and
/// `interrupted_by` is set: the same call goes on with what is there.
JudgedRun coordinate_nodes(const Run& run, const OpenedPlan& opened, NodeRunner& runner,
                           const std::vector<std::string>& shard_options);

}  // namespace stepgate
