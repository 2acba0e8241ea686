// A comparison of two builds or a sweep that is spread over nodes: its plan, the share of each node, and what a node
// hands back.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/record/measurement.h"
#include "core/study/ab_plan.h"
#include "core/study/sweep.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

/// Which node measures which pairs. Both processes of a pair always run on one node.
enum class NodeLayout {
  by_round,  ///< pair 1 of every node, then pair 2 of every node: all nodes work on each case
  by_case,   ///< all pairs of a case on one node
};

/// One case of the plan. In a sweep, it holds the head's program, and `most_pairs` and `tries` are its rounds.
struct PlannedCase {
  AbPlan plan;                ///< fixed before the first process
  std::int64_t tries = 0;     ///< indices 0 to tries - 1 may be measured; more than most_pairs, for discarded ones
  bool may_lengthen = false;  ///< the first pair of a node decides about the step counts there
  std::string policy_digest;  ///< digest of its policy file, "" without one
};

/// plan.json: written once, before anything is measured.
struct ShardPlan {
  std::string version;          ///< version of stepgate
  std::string launcher_digest;  ///< digest of the program stepgate
  std::string base_build;       ///< build folders as the commands of a report name them
  std::string head_build;
  std::string head_manifest;    ///< path of the head's manifest; its text is in the plan folder
  std::string manifest_digest;  ///< digest of that text; "" in a plan that an older version made
  std::string baseline_root;
  std::string data_dir;  ///< "" takes that of each case
  TierChoice tier = TierChoice::all;
  std::string runner_class;
  std::string guard;                  ///< mode of the guard on the nodes
  std::set<std::string> passed = {};  ///< names of the user's variables that processes get
  std::int64_t shards = 1;            ///< one share for each node
  NodeLayout layout = NodeLayout::by_round;
  bool require_gpu = false;             ///< every skipped case has failed
  bool mixed_nodes = false;             ///< nodes of different kinds may measure (experiment/nodes/node_machines.h)
  std::optional<SweepPlan> sweep = {};  ///< the one case is swept; absent: two builds are compared in pairs
  std::vector<PlannedCase> cases = {};
};

/// A part of one case.
struct CaseShare {
  std::string case_name;
  std::vector<std::int64_t> pairs = {};  ///< indices, ascending; in a sweep those of rounds
  bool exact = false;                    ///< also the exact half

  bool operator==(const CaseShare&) const = default;
};

/// What one node is to do. Attempt 1 and above are what an earlier attempt left undone.
struct ShardWork {
  std::int64_t shard = 1;  ///< from 1
  std::int64_t attempt = 0;
  std::string control_case;  ///< the A/A control of the node is measured on it, before any pair; "" without times
  std::vector<CaseShare> shares = {};
};

enum class NodeResultKind { pair, control, exact, round };

/// One file that a node hands back, whole.
struct NodeResult {
  NodeResultKind kind = NodeResultKind::pair;
  std::string plan_digest;  ///< digest of plan.json: a result of another plan does not count
  std::int64_t shard = 1;
  std::int64_t attempt = 0;
  std::string place;  ///< host, its CPUs and GPUs: the block that the pair belongs to
  std::string case_name;
  std::int64_t index = 0;    ///< number of the pair in the drawn order, or of the round
  bool head_first = false;   ///< the order that was drawn
  bool interleaved = false;  ///< for the exact half: its processes were measured side by side
  Measurement base;
  Measurement head;  ///< in a control: the base build's byte copy
  /// For a round, instead of base and head: one for each setting, without replicates if it was not started.
  std::vector<Measurement> settings = {};
};

/// The share of node `shard`, 1 to plan.shards, at attempt 0. By round, index i goes to node i mod shards + 1, and the
/// exact half of case c to node c mod shards + 1; by case, both to node c mod shards + 1. The control rotates: each
/// node takes another case, as far as there are enough. A round of a sweep has all settings on one node: it needs none.
ShardWork share_of(const ShardPlan& plan, std::int64_t shard);

}  // namespace stepgate
