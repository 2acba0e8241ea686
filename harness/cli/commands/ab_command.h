// The options of `stepgate ab`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/judged_measurement.h"
#include "core/study/shard_plan.h"
#include "experiment/ab.h"

namespace stepgate {

struct AbCommand {
  std::vector<std::string> arguments;
  JudgedMeasurement run;
  std::optional<std::int64_t> seeds;       ///< training runs of each side whose losses are compared
  std::optional<std::int64_t> seed_steps;  ///< steps of each of these runs
  std::string nodes;                       ///< local:N, slurm:N or exec:PROGRAM, "" = this machine
  std::optional<std::int64_t> shards;
  std::optional<NodeLayout> layout;  ///< absent: by case where there are as many cases as nodes
  bool mixed_nodes = false;
};

/// What the experiment needs of them.
AbOptions ab_options(const AbCommand& o);

}  // namespace stepgate
