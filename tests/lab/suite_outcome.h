// The results of simulated suites, with exact confidence limits.
#pragma once

#include <cstdint>
#include <functional>

#include "core/verdict/verdict.h"

namespace stepgate::lab {

/// Sums over suites and over their metrics.
struct SuiteOutcome {
  std::int64_t suites = 0;
  std::int64_t red_suites = 0;   ///< with at least one false or true red
  std::int64_t open_suites = 0;  ///< with at least one inconclusive metric
  std::int64_t metrics = 0;
  std::int64_t regressed = 0;
  std::int64_t improved = 0;
  std::int64_t passed = 0;
  std::int64_t inconclusive = 0;
  std::int64_t pairs = 0;  ///< until the verdict; all pairs if there was none

  SuiteOutcome& operator+=(const SuiteOutcome& other);

  /// Counts the verdict on one metric.
  void add(Status status);
};

/// A share with the limits of Clopper and Pearson (Biometrika 26 (1934)), each at 97.5 %.
struct Share {
  double value = 0;
  double lower = 0;
  double upper = 1;
};

/// Throws std::domain_error unless 0 <= hits <= trials and trials > 0.
Share share_of(std::int64_t hits, std::int64_t trials);

/// The smallest change of at most 100 % that turns 95 % of the metrics red, by bisection down to `precision`; infinite
/// if 100 % is not enough. `outcome_at` must draw the same noise at each change, or the search would follow chance.
double smallest_detected_change(const std::function<SuiteOutcome(double change)>& outcome_at, double precision);

}  // namespace stepgate::lab
