// What can be said of a user's own loop only if it tells: which metrics are absent, and why.
#pragma once

#include <bitset>
#include <map>
#include <string>

#include "core/boundary.h"
#include "core/record/run_record.h"

namespace stepgate {

/// What a loop was seen to do.
struct LoopFacts {
  std::bitset<boundary_count> unmarked;  ///< by Boundary
  bool tensors_given = false;            ///< to copied()
  bool parameters_given = false;
};

/// Metric to the reason why no loop, or none like this, can tell it.
std::map<std::string, std::string> absent_in_loop(Group group, const LoopFacts& facts);

/// Takes out of `record` what a pass recorded under the name of an absent metric, and adds the reasons.
void declare_absent(const std::map<std::string, std::string>& absent, RunRecord& record);

}  // namespace stepgate
