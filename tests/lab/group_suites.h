// Simulated suites that are measured twice, one build after the other: what `stepgate compare` is given.
#pragma once

#include <cstdint>

#include "lab/noise_model.h"
#include "lab/suite_outcome.h"

namespace stepgate::lab {

enum class GroupRule { welch, compare };  ///< judge/welch_estimate.h as a verdict; judge/stored_rule.h with one session

struct GroupSuites {
  const NoiseModel& model;  ///< one that does not know its side
  GroupRule rule = GroupRule::compare;
  bool another_day = false;  ///< else the second suite follows upon the first
  double change = 0;
  std::int64_t suites = 10'000;
  std::int64_t cases = 20;
  std::size_t processes = 5;  ///< of each case and build, the plan's default
  std::uint64_t seed = 1;
};

/// One gating metric a case; the reference case stands still, so that nothing takes a false red back. Pairs are not
/// counted.
SuiteOutcome simulate(const GroupSuites& plan);

}  // namespace stepgate::lab
