// What the nodes of a plan have handed back so far, in the order of the plan.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/record/measured_pair.h"
#include "core/verdict/paired_values.h"
#include "experiment/nodes/plan/plan_folder.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// Pairs of the A/A control of a node. A rejected node measures one of two equal programs faster: nothing that it
/// measured is looked at.
struct NodeControl {
  std::string place;
  ControlResult result;
  bool rejected = false;     ///< at control_level (judge/verdict/control_check.h)
  double largest_shift = 0;  ///< that its interval holds, on the log scale
};

/// The pairs of one case, or the rounds of a sweep, in the order of their indices, up to the first that may still come.
struct PlanSequence {
  std::vector<const NodeResult*> pairs;
  std::int64_t end = 0;                    ///< indices before it are in `pairs`, lost or of a rejected node
  std::vector<std::int64_t> missing = {};  ///< missing indices before `end` that are not of a rejected node
};

class NodeResults {
 public:
  explicit NodeResults(const OpenedPlan& opened) : opened_(opened) {}

  /// Reads the files that were not there before. Each is read once: it never changes.
  void read_new();

  /// The result of the lowest attempt, in whatever order they came. nullptr if there is none. In a sweep: its round.
  const NodeResult* pair(const std::string& case_name, std::int64_t index) const;
  const NodeResult* exact(const std::string& case_name) const;

  /// One for each shard and attempt that measured a control to its end.
  std::vector<NodeControl> controls() const;

  /// What is known of the nodes that measured anything, by place (node_machines.h).
  std::map<std::string, Fingerprint> machines() const { return machines_; }

  /// `all`: no more will come, so that what is missing is left out.
  PlanSequence sequence(const PlannedCase& planned, bool all) const;

  /// Files with results of another plan, or for work that is not in this plan. They do not count.
  const std::vector<std::string>& foreign() const { return foreign_; }
  /// Results that a lower attempt has overtaken, or that came after it.
  std::int64_t duplicates() const;

 private:
  using Key = std::pair<std::string, std::int64_t>;
  void take(NodeResult result, const std::string& file);
  std::set<std::string> rejected_places() const;

  const OpenedPlan& opened_;
  std::set<std::string> seen_;
  std::map<Key, std::map<std::int64_t, NodeResult>> pairs_;
  std::map<std::string, std::map<std::int64_t, NodeResult>> exact_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::int64_t, NodeResult>> controls_;  ///< by shard, attempt
  std::vector<std::string> foreign_;
  std::map<std::string, Fingerprint> machines_;
};

/// Notices about files in the plan folder that do not count.
std::vector<Notice> uncounted_results(const NodeResults& results);

/// A pair as the launcher of one machine measured it.
MeasuredPair measured_pair(const NodeResult& result);

/// Pairs of the control of a node: four show a node that favours a side by 5 % in every case, and reject 1 % of honest
/// ones.
inline constexpr std::int64_t node_control_pairs = 4;

}  // namespace stepgate
