// Simulated gates against stored sessions, judged by stepgate's own judge_case().
#pragma once

#include <cstdint>
#include <string_view>

#include "core/stored/policy.h"
#include "lab/suite_outcome.h"

namespace stepgate::lab {

/// The variation of values from session to session.
enum class SessionNoise {
  exchangeable,  ///< independent normal
  t3,            ///< independent, heavy tails of the same standard deviation
  random_walk,   ///< a step from each session to the next; the current one comes twenty steps after the last
  back_to_back,  ///< all sessions within minutes: they share one draw, the current one has its own
};
std::string_view name_of(SessionNoise noise);

/// Which reference case tells how fast the machine is today.
enum class ReferenceKind {
  own,     ///< the processes between those of the case
  pooled,  ///< the processes between those of all cases of the suite
  none,
};

struct StoredSuites {
  SessionNoise noise = SessionNoise::exchangeable;
  double session_sd = 0.01;
  std::int64_t sessions = 5;
  double change = 0;
  double machine = 0;           ///< what the machine adds to all times today: -0.23 is a faster one
  double machine_share_sd = 0;  ///< how far a case is from following the machine as the reference case does
  double reference_sd = 0;      ///< of the reference case from session to session, the machine's own change aside
  double drift_sd = 0;          ///< of the machine's speed from one case to the next, today
  ReferenceKind reference = ReferenceKind::own;
  Policy policy = {};
  std::int64_t suites = 10'000;
  std::int64_t cases = 20;
  std::uint64_t seed = 1;
};

/// One gating metric per case; pairs are not counted. By default the reference case stands still to the bit, so that it
/// never prevents a false red.
SuiteOutcome simulate(const StoredSuites& plan);

/// As simulated_detectable_change() of paired_suites.h.
double simulated_detectable_change(StoredSuites plan);

}  // namespace stepgate::lab
