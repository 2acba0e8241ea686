// Absolute limits, which do not depend on a baseline: for example the memory of a job or the time of its first step.
#pragma once

#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Compares the measured values with the budgets of the case and changes `verdicts` if a budget is exceeded:
///   exact  any step of any replicate above it  -> regressed "over-budget"
///   bytes  any replicate above it              -> regressed "over-budget"
///   timed  the mean over clean replicates above it with certainty, one-sided t at alpha/M on logarithms, at least
///          min_clean_replicates of them        -> regressed "over-budget"
///          above it without certainty          -> inconclusive "budget-undecided", unless the metric is red already
///   without a value                            -> failed "budget-unchecked"
/// A metric with an exceeded or unchecked budget gates; one within its budget keeps its verdict. Only metrics of a
/// requested half are checked.
void apply_budgets(const Comparison& input, std::vector<MetricVerdict>& verdicts);

}  // namespace stepgate
