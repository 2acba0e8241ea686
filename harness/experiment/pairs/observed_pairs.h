// Pairs of processes in which the observer of operators runs, to find where time went.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/record/profile_run.h"
#include "experiment/plan/case_plan.h"
#include "launch/staged_builds.h"

namespace stepgate {

/// What is to be observed. Borrows.
struct ObservedCase {
  const LaunchRequest& request;  ///< request for one process of the head; program, folder and groups are set for each
  const StagedBuilds& builds;
  std::filesystem::path folder;  ///< NNN/{base,head}/measurement.json go here; pairs that are complete are taken up
  std::uint64_t order_seed = 0;
};

/// No pair begins that would end after this time, as far as the pairs before tell.
inline constexpr double most_observing_s = 60;
inline constexpr std::int64_t most_observed_pairs = 8;

/// Both sides of each pair, in order.
struct ObservedPairs {
  std::vector<ProfileRun> base;
  std::vector<ProfileRun> head;
  std::string problem;  ///< why there are fewer pairs than an explanation needs, one clause; "" if there are enough
  std::string remedy;   ///< what to do about it; may be ""
  bool interrupted = false;
};

/// Runs base and head in turn, in a drawn order. Ends at the first process that fails: an older program knows no group
/// profile.
ObservedPairs observe_pairs(const ObservedCase& observed, const Caller& caller);

}  // namespace stepgate
