// The figures of one timed metric against the stored sessions, before any rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"
#include "judge/interval/decision.h"
#include "judge/interval/reference_check.h"
#include "judge/interval/session_clusters.h"
#include "judge/interval/stored_estimate.h"

namespace stepgate {

/// What all timed metrics of a case share. Refers to the Comparison.
struct TimedContext {
  const Comparison& input;
  std::vector<SessionCluster> clusters;
  CriticalValueTable table;

  ReferenceSides reference_sides() const { return {input.current, clusters, input.policy}; }
};

/// Shares alpha / M and beta (docs/design/verdicts.md, "Error budget": Bonferroni over the manifest). The runner
/// baseline may be absent.
TimedContext timed_context(const Comparison& input);

struct TimedComparison {
  StoredEstimate stored;
  Margins margins;
  Decision decision;
  double prior_spread = 0;  ///< prior spread of the metric, on the log scale
  double baseline = 0;      ///< geometric mean, natural units
  double current = 0;
  double worse = 0;              ///< relative change, positive is worse (value_change.h)
  double detectable_change = 0;  ///< at 95 % power
};

/// Absent if either side has no value, or one that is not positive and so has no logarithm.
std::optional<TimedComparison> compare_timed(const Metric& metric, TimedContext& context);

/// Writes baseline, current, change, interval, limit and detectable change.
void fill_figures(const TimedComparison& comparison, const Metric& metric, MetricVerdict& verdict);

/// "20.3 ms -> 21.9 ms, +7.9 % [+5.1 %, +10.2 %] against 6 sessions"
std::string describe(const TimedComparison& comparison, const Metric& metric);

}  // namespace stepgate
