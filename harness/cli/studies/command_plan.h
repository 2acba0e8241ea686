// `stepgate plan ab` and `stepgate plan sweep`: a folder that each machine gets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/machine.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/pairs.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/swept.h"
#include "cli/options/option_row.h"
#include "core/study/shard_plan.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

struct PlanAbCommand {
  std::vector<std::string> arguments;
  ComparedPlaces places;
  std::vector<std::string> filters;
  TierChoice tier = TierChoice::all;
  std::optional<std::int64_t> exact_replicates;
  Measuring measuring;
  QuietMachine machine;
  PairChoice pairs;
  std::optional<std::int64_t> shards;
  std::optional<NodeLayout> layout;  ///< absent: by case where there are as many cases as nodes
  bool mixed_nodes = false;
  bool quiet = false;
};
OptionRows rows_of(PlanAbCommand& o);
/// The exit status.
int command_plan_ab(const PlanAbCommand& o);

struct PlanSweepCommand {
  std::vector<std::string> arguments;
  MeasuredPlaces places;
  std::optional<std::int64_t> replicates;
  Measuring measuring;
  QuietMachine machine;
  Swept swept;
  std::optional<std::int64_t> shards;
  bool mixed_nodes = false;
  bool quiet = false;
};
OptionRows rows_of(PlanSweepCommand& o);

/// The exit status.
int command_plan_sweep(const PlanSweepCommand& o);

}  // namespace stepgate
