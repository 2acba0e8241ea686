// The work of one node: its share of a plan.
#pragma once

#include <filesystem>
#include <string>

#include "experiment/host/quiet_host.h"
#include "experiment/nodes/shard_end.h"
#include "experiment/plan/caller.h"

namespace stepgate {

struct ShardRunOptions {
  std::filesystem::path plan;  ///< the plan folder
  std::int64_t shard = 1;
  std::int64_t attempt = 0;
  HostOptions host = {};
};

/// Removes the copies of programs that nodes left here which were killed.
void remove_copies_of_killed_nodes();

/// Copies the programs to a folder of this machine, measures the node's A/A control, then its exact halves and its
/// pairs case by case, or its rounds of a sweep, and hands back each result as soon as it is whole. Skips what another
/// attempt has handed back and cases that are decided. Measures nothing where the launcher, a program or a policy is
/// not the one that was planned. Throws Error(usage) where there is no such plan or shard.
ShardEnd run_shard(const ShardRunOptions& options, const Caller& caller);

}  // namespace stepgate
