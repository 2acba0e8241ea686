// Simulated A/B runs of inference cases: processes with thousands of requests, reduced to their mean, P99 and maximum
// and judged by stepgate's own rules.
#pragma once

#include <cstdint>

#include "core/stored/policy.h"
#include "judge/rules/paired_rule.h"
#include "lab/request_noise.h"
#include "lab/suite_outcome.h"

namespace stepgate::lab {

struct RequestSuites {
  const RequestNoise& noise;
  std::int64_t requests = 1000;  ///< of each process
  RequestFault fault = {};       ///< of the head
  Margins mean_margins = {};
  Margins p99_margins = {};
  std::int64_t hypotheses = 100;  ///< M of a suite of 20 cases
  std::int64_t suites = 1000;
  std::int64_t cases = 20;
  std::uint64_t seed = 1;
};

/// Sums over suites and cases.
struct RequestOutcome {
  std::int64_t red_suites = 0;  ///< by mean or P99
  SuiteOutcome mean = {};
  SuiteOutcome p99 = {};           ///< judged alone, as if the run went on for it
  std::int64_t p99_left_open = 0;  ///< undecided where the mean ends the run, and no worse than its ignore margin
  std::int64_t highest_red = 0;    ///< the longest request, tested in cases that are red, with the margins of P99

  RequestOutcome& operator+=(const RequestOutcome& other);
};

/// The mean leads, P99 follows (docs/design/verdicts.md, "Following metrics").
RequestOutcome simulate(const RequestSuites& plan);

}  // namespace stepgate::lab
