// What runs on a node: its share of a plan.
#pragma once

#include <filesystem>
#include <string>

#include "experiment/host/quiet_host.h"
#include "experiment/plan/caller.h"

namespace stepgate {

struct ShardRunOptions {
  std::filesystem::path plan;  ///< the plan folder
  std::int64_t shard = 1;
  std::int64_t attempt = 0;
  HostOptions host = {};
};

struct ShardEnd {
  std::string unfit = {};  ///< why nothing was measured here; "" where the node is fit
  std::int64_t pairs = 0;  ///< handed back
  int interrupted_by = 0;  ///< the number of a signal; what is complete was handed back
};

/// Copies the programs to a folder of this machine, measures the node's A/A control, then its exact halves and its
/// pairs case by case, and hands back each result as soon as it is whole. Skips what another attempt has handed back
/// and cases that are decided. Measures nothing where the launcher, a program or a policy is not the one that was
/// planned. Throws Error(usage) where there is no such plan or shard.
ShardEnd run_shard(const ShardRunOptions& options, const Caller& caller);

}  // namespace stepgate
