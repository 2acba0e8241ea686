// Decides the cases of a plan from the pairs that the nodes have handed back.
#pragma once

#include <map>
#include <string>

#include "experiment/nodes/node_results.h"
#include "experiment/nodes/planned_run.h"

namespace stepgate {

/// In a sweep nothing is decided: all its rounds are measured.
/// Every process that sees the plan folder may decide: the answer rests on the order of the plan alone, so all of them
/// find the same.
class NodeDecisions {
 public:
  NodeDecisions(const Run& run, const OpenedPlan& opened);

  /// Looks at the open cases pair by pair, in the order of the plan; with rounds, once a round is complete. Writes
  /// where each decided case ends: look_at_pairs() decides, most_pairs are clean, or a process failed.
  void look(const NodeResults& results);

  bool is_decided(const std::string& case_name);
  bool all_decided();

 private:
  struct CaseState {
    PairCase judged;
    std::int64_t looked = 0;  ///< indices before this one have been looked at
    bool decided = false;
  };
  void decide_case(const PlannedCase& planned, const NodeResults& results, CaseState& state);
  bool ends_round(const PlannedCase& planned, std::int64_t index) const;

  const Run& run_;
  const OpenedPlan& opened_;
  std::map<std::string, CaseState> states_;
};

}  // namespace stepgate
