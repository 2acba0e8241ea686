// On which side of a limit the measured values lie: the rule of floors, budgets and targets.
#pragma once

#include "core/metric_row.h"
#include "core/verdict/comparison.h"
#include "core/verdict/limits/limit_verdict.h"

namespace stepgate {

/// Whether the half of that metric was asked for and measured at all, so that a limit on it can be told.
bool is_of_judged_half(const Comparison& input, const Metric& metric);

/// By the values of the head's processes, one value each:
///   exact, bytes  the worst step or process beyond the limit -> missed, else met
///   times, rates  by the geometric mean over processes, of values that may be zero or negative the plain mean:
///     floor, budget  the mean keeps the limit               -> met
///                    it is beyond it with certainty (one-sided t at alpha / M, min_clean_replicates or more)
///                                                            -> missed, else undecided
///     target         the whole interval (two-sided at alpha) keeps the limit -> met; none of it -> missed; else
///                    undecided
///   not measured, or a value that is not finite             -> unchecked, with the reason
/// `metric` is the row of the limit's metric.
LimitVerdict call_limit(const Comparison& input, const Metric& metric, const AbsoluteLimit& limit);

}  // namespace stepgate
