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
///     floor, budget  it is beyond the limit with certainty (one-sided t, min_clean_replicates or more) -> missed
///                    the mean keeps the limit -> met; else undecided
///     target         the whole interval (two-sided at alpha) keeps the limit -> met; none of it -> missed; else
///                    undecided
///   an energy of processes that took turns                  -> not_judged, with the reason
///   not measured, or a value that is not finite             -> unchecked, with the reason
/// The test of a floor or budget spends alpha / M. Without pairs it is made once. Beside pairs it is made where an
/// interim analysis may call regressed, by as many first processes as that has pairs, with its share of red: so the
/// error holds whenever the run ends, and a limit that one look finds missed stays missed. A plan without such an
/// analysis has one look, at its last pair. `metric` is the row of the limit's metric.
LimitVerdict call_limit(const Comparison& input, const Metric& metric, const AbsoluteLimit& limit);

}  // namespace stepgate
