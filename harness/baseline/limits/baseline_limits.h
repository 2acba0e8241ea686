// How a stored baseline differs from that of the base.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/stored/baseline.h"
#include "core/stored/policy.h"
#include "core/verdict/limit_change.h"

namespace stepgate {

struct BaselineSides {
  std::string suite;
  std::string file;                    ///< below the folder of baselines: "portable/a/b/c.json"
  const Baseline* base = nullptr;      ///< nullptr: the base has no such file
  const Baseline* head = nullptr;      ///< nullptr: the tree has none
  const Policy& policy;                ///< of the base: its margins say which moves of a time are told
  std::set<std::string> varying = {};  ///< metrics that the tree declares to vary; that change is told already
};

/// Values that differ while the time of acceptance does not are edited by hand: one entry for the file. Otherwise one
/// for each metric that is gone, got worse, better, or is new, and for steps and sessions that are fewer.
std::vector<LimitChange> baseline_changes(const BaselineSides& sides);

}  // namespace stepgate
