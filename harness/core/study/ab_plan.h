// The definition of an A/B run of one case: its two builds, the plan of its processes, and the seed of the side order.
#pragma once

#include <cstdint>
#include <string>

#include "core/plan.h"

namespace stepgate {

/// Stored beside the pairs, so that an interrupted run can continue with the pairs it has.
struct AbPlan {
  std::string case_name;
  std::string utc;                   ///< when the run began
  std::uint64_t order_seed = 0;      ///< decides the order of sides in each pair
  std::int64_t most_pairs = 0;       ///< the measurement stops at this number of clean pairs
  bool alternating_windows = false;  ///< both processes of a pair live together and alternate window by window
  bool control = false;              ///< a red here needs pairs of the base and its byte copy
  std::string base_digest;           ///< digest of the program and the libraries of its build (launch/program_build.h)
  std::string head_digest;
  std::string base_commit;
  std::string head_commit;
  std::string policy_digest;    ///< digest of the suite's policy file, "" without one
  std::string machine;          ///< where its processes run (experiment/plan/this_machine.h); "" in a plan for nodes
  std::int64_t seeds = 0;       ///< training runs of each side for the comparison of losses; 0: none
  std::int64_t seed_steps = 0;  ///< steps of each of these runs
  Plan plan;                    ///< plan of one process
  bool complete = false;        ///< decided, or the pairs or the time are used up: no pair will be added
};

/// "" if pairs measured under `a` may be combined with those of `b`, else what differs first, e.g. "the policy is
/// another one". The start time, the seed of the order (the earlier one stays in use) and the progress may differ.
std::string difference_between(const AbPlan& a, const AbPlan& b);

inline bool same_comparison(const AbPlan& a, const AbPlan& b) { return difference_between(a, b).empty(); }

}  // namespace stepgate
