// The share of a node in a sweep: whole rounds, each with all settings.
#pragma once

#include "experiment/nodes/node_results.h"
#include "experiment/nodes/shard_end.h"
#include "experiment/plan/case_plan.h"
#include "experiment/swept/planned_sweep.h"

namespace stepgate {

class SweepShare {
 public:
  /// Copies the program to this machine. Throws Error where the program or the policy is not the one that was planned,
  /// or this machine is unlike the others.
  SweepShare(const Run& run, const OpenedPlan& opened, const ShardWork& work);

  /// Hands back each round that is whole. Skips what another attempt has handed back.
  ShardEnd measure();

 private:
  bool is_open(std::int64_t round);
  void hand_back_round(std::int64_t round, std::vector<Measurement> settings) const;

  const Run& run_;
  const OpenedPlan& opened_;
  const ShardWork& work_;
  std::string place_;
  NodeResults results_;
  SweptCase swept_;
};

}  // namespace stepgate
