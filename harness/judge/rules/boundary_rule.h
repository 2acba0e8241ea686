// Finds the boundary, or the kind of request, that made a red case slower. It names the cause and decides no status.
#pragma once

#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/verdict/verdict_reason.h"
#include "judge/rules/timed_comparison.h"

namespace stepgate {

/// Whether a metric decides nothing and is tested where another one is red: the time of a boundary, or a latency that
/// explains.
bool is_tested_beside_red(std::string_view metric);

/// "boundary-slower" for the time of a boundary, "percentile-slower" for a latency.
ReasonCode reason_of_slower(std::string_view metric);

/// Tests these metrics of a case whose step or request is already red: one-sided against their ignore margins, and
/// Holm-adjusted within the case at alpha (docs/design/verdicts.md, "Boundaries"). The order stays as given:
///   significant                                  -> regressed    as reason_of_slower() says
///   not significant, shown below the matter margin -> not judged   "within-limit"
///   not significant, not shown                   -> inconclusive "not-significant"
///   cannot be compared                           -> not judged   "not-tested", or as without_comparison() says
std::vector<MetricVerdict> test_boundaries(const std::vector<Metric>& boundaries, TimedContext& context);

/// Only the values, not judged, with reason "not-tested".
MetricVerdict untested(const Metric& metric, TimedContext& context);

}  // namespace stepgate
