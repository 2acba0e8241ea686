// Simulated A/B runs whose pairs are measured on several machines by round, judged by stepgate's own rule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/rules/paired_rule.h"
#include "lab/noise_model.h"
#include "lab/suite_outcome.h"

namespace stepgate::lab {

/// What the nodes of a fleet differ in. Their levels need no parameter: both sides of a pair stay on one node.
struct FleetModel {
  std::string name;
  NoiseModel noise = {};
  double noise_spread = 0;      ///< the noise of a node is `noise` times exp(noise_spread z), z standard normal
  double busy_share = 0;        ///< share of nodes whose processes are disturbed in bursts
  double node_build_sd = 0;     ///< each case is faster or slower with the head build on each node by such a draw
  double odd_build = 0;         ///< one node runs the head build slower by this, and honestly so
  double odd_side = 0;          ///< one node runs whatever the head's place is slower by this: its A/A control too
  bool beyond_promise = false;  ///< a build that is slower on some nodes is slower: no rule can call that noise
};

/// Every model of the table, in its order.
std::vector<FleetModel> fleet_models();

struct NodeSuites {
  const FleetModel& fleet;
  const PairRule& rule;
  std::int64_t nodes = 4;
  double change = 0;  ///< true relative change of every case
  std::int64_t suites = 10'000;
  std::int64_t cases = 20;
  std::uint64_t seed = 1;
};

struct NodeOutcome : SuiteOutcome {
  std::int64_t nodes = 0;
  std::int64_t rejected_nodes = 0;  ///< by their A/A control

  NodeOutcome& operator+=(const NodeOutcome& other);
};

/// Pair i of a case runs on node i modulo `nodes`. A node whose control moved gives no pairs; where half of the nodes
/// or more are rejected, reds that the largest of their shifts may explain are inconclusive, as in a run.
NodeOutcome simulate(const NodeSuites& plan);

}  // namespace stepgate::lab
