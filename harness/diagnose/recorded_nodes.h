// What autograd records more than before, and whether a backward runs it.
#pragma once

#include <optional>
#include <string>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

struct RecordedNodes {
  std::string boundary;  ///< where most of them are recorded
  double more = 0;       ///< nodes per step, all boundaries together
  /// Backward calls an operator more often. False: what is recorded is never run, as in an evaluation without
  /// NoGradGuard or a running mean of a tensor that has a graph.
  bool run = false;
};

/// Absent where no boundary records more nodes.
std::optional<RecordedNodes> more_recorded_nodes(const JudgedComparison& input);

/// Whether something may keep graphs of past steps: more graphs of the loss are held, these were not counted, or nodes
/// are recorded that no backward runs.
bool may_keep_graphs(const JudgedComparison& input);

}  // namespace stepgate
