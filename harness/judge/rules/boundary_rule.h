// Finds the boundary that made a red case slower. It names the cause and decides no status.
#pragma once

#include <vector>

#include "core/metric.h"
#include "judge/rules/timed_comparison.h"

namespace stepgate {

/// Tests these boundary metrics of a case whose step is already red: one-sided against their ignore margins, and
/// Holm-adjusted within the case at alpha (docs/design/verdicts.md, "Boundaries"). The order stays as given:
///   significant                                  -> regressed    "boundary-slower"
///   not significant, shown below the matter margin -> not judged   "within-limit"
///   not significant, not shown                   -> inconclusive "not-significant"
///   cannot be compared                           -> not judged   "not-tested", or as without_comparison() says
std::vector<MetricVerdict> test_boundaries(const std::vector<Metric>& boundaries, TimedContext& context);

/// Only the values, not judged, with reason "not-tested".
MetricVerdict untested(const Metric& metric, TimedContext& context);

}  // namespace stepgate
