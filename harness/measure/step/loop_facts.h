// Which metrics of a user's own loop are absent because the loop does not mark or give what they need.
#pragma once

#include <bitset>
#include <map>
#include <string>

#include "core/boundary.h"
#include "core/record/run_record.h"

namespace stepgate {

/// What a loop was seen to do.
struct LoopFacts {
  StepBoundaries boundaries;
  std::bitset<boundary_count> unmarked = {};  ///< by Boundary; those that the loop names itself are marked
  bool tensors_given = false;                 ///< to copied()
  bool parameters_given = false;
  bool answers = false;  ///< it answers requests: marks.infer_done()
};

/// For each metric that cannot be measured in a loop, or in a loop with these facts, the reason.
std::map<std::string, std::string> absent_in_loop(Group group, const LoopFacts& facts);

/// The same for the checkpoints that its case asks for.
std::map<std::string, std::string> unsaved_in_loop(Group group, const StepCounts& steps);

/// Removes what a pass recorded under the name of an absent metric from `record`, and adds the reasons.
void declare_absent(const std::map<std::string, std::string>& absent, RunRecord& record);

}  // namespace stepgate
