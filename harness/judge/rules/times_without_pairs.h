// Timed metrics of two measurements that were made one after the other: figures without a decision.
#pragma once

#include "core/metric.h"
#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Compares `input.current` with the earlier measurement, which must be there:
///   one side lacks the metric, or the facts differ -> as without_comparison() says
///   all processes of a side were discarded         -> inconclusive "too-few-clean-replicates"
///   gating                                         -> inconclusive "no-pairs", with both values and their ratio
///   not gating                                     -> not judged "not-tested", with the same figures
/// Two such measurements cannot tell slower code from a slower machine; only pairs of processes can.
MetricVerdict compare_without_pairs(const Metric& metric, const Comparison& input);

}  // namespace stepgate
