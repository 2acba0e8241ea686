// Absolute limits, which hold with any baseline and without one: the memory that a job may take, the time that its
// first step may need.
#pragma once

#include <vector>

#include "core/verdict/comparison.h"

namespace stepgate {

/// Holds what was measured against policy.budgets and changes `verdicts` where a budget is exceeded:
///   exact  any step of any replicate above it  -> regressed "over-budget"
///   bytes  any replicate above it              -> regressed "over-budget"
///   timed  the mean over clean replicates above it with certainty, one-sided t at alpha/M on logarithms, at least
///          min_clean_replicates of them        -> regressed "over-budget"
///          above it without certainty          -> inconclusive "budget-undecided", unless the metric is red already
/// A metric with an exceeded budget gates. What is within its budget, or was not measured, keeps its verdict.
/// Only metrics of a requested half are looked at.
void apply_budgets(const Comparison& input, std::vector<MetricVerdict>& verdicts);

}  // namespace stepgate
