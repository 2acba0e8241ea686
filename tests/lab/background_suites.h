// Simulated A/B runs of cases whose builds work beside their steps, in a thread or a process of their own.
#pragma once

#include <cstdint>

#include "judge/rules/paired_rule.h"
#include "lab/noise_model.h"
#include "lab/suite_outcome.h"

namespace stepgate::lab {

/// Pairs begin in alternating windows. There, what either side does in the background slows both, and a process reads
/// what it used while it waited. The step itself is equal in both builds.
struct BackgroundSuites {
  const NoiseModel& model;  ///< of alternating windows; processes one after the other have twice its spread
  const PairRule& rule;
  double base_work = 0;  ///< CPU time beside the step by wall time: the step of that build takes longer by this factor
  double head_work = 0;
  bool looks = true;  ///< false: as if nobody read what a waiting process uses
  std::int64_t suites = 1000;
  std::int64_t cases = 20;
  std::uint64_t seed = 1;
};

/// Runs the suites on two threads; the result does not depend on threads or order.
SuiteOutcome simulate(const BackgroundSuites& plan);

}  // namespace stepgate::lab
