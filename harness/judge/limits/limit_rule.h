// Floors, budgets and targets of a case: limits that do not depend on a baseline, for example the memory of a job or
// the samples that it trains on in a second.
#pragma once

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Calls each limit of the case whose half was judged (limit_call.h), keeps the answers in `verdict.limits`, and
/// changes `verdict.metrics` where a floor or budget is not met:
///   missed     -> regressed    "below-floor", "over-budget"
///   undecided  -> inconclusive "floor-undecided", "budget-undecided", unless the metric is red already
///   unchecked  -> failed       "floor-unchecked", "budget-unchecked"
///   not judged -> not judged   "limit-not-judged", unless the processes before the pairs have an answer
/// Such a metric gates; one that keeps its limits keeps its verdict. A target changes no verdict; it is newly met where
/// the other side did not meet it and its metric, or the time that it follows from, is improved.
void apply_limits(const Comparison& input, CaseVerdict& verdict);

}  // namespace stepgate
