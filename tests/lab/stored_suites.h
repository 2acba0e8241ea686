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

struct StoredSuites {
  SessionNoise noise = SessionNoise::exchangeable;
  double session_sd = 0.01;
  std::int64_t sessions = 5;
  double change = 0;
  Policy policy = {};
  std::int64_t suites = 10'000;
  std::int64_t cases = 20;
  std::uint64_t seed = 1;
};

/// One gating metric per case. The reference case does not move, so that it never prevents a false red; pairs are not
/// counted.
SuiteOutcome simulate(const StoredSuites& plan);

/// As simulated_detectable_change() of paired_suites.h.
double simulated_detectable_change(StoredSuites plan);

}  // namespace stepgate::lab
