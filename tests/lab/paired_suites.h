// Simulated A/B runs of whole suites, judged by stepgate's own rule.
#pragma once

#include <cstdint>

#include "judge/rules/paired_rule.h"
#include "lab/noise_model.h"
#include "lab/suite_outcome.h"

namespace stepgate::lab {

struct PairedSuites {
  const NoiseModel& model;
  const PairRule& rule;
  double change = 0;  ///< true relative change of every metric
  std::int64_t suites = 10'000;
  std::int64_t cases = 20;
  std::int64_t metrics_per_case = 1;  ///< independent of each other except for the slots: the worst case for false reds
  std::uint64_t seed = 1;
};

/// Runs the suites on two threads. Each suite has its own seed, so the result does not depend on threads or order.
SuiteOutcome simulate(const PairedSuites& plan);

/// Smallest change that at least 95 % of the metrics call regressed, by bisection with the same noise for each trial;
/// infinite if +100 % is not enough.
double simulated_detectable_change(PairedSuites plan);

}  // namespace stepgate::lab
