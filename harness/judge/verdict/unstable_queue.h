// The verdict on a latency of an open loop whose queue grew in the head.
#pragma once

#include <optional>

#include "core/metric.h"
#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Where requests came too fast for the head in at least one clean pair, and not for the base. Without a difference
/// each such pair is as likely the other way round, so n of n pairs have a probability of 2^-n (sign test, Arbuthnott
/// 1710). A pair the other way round, one in which both keep up, and one in which the load is above its limit while the
/// queue of the head empties take that away for good, so looking after each pair spends nothing more.
///   its queue grew in every pair, and 2^-n <= alpha / M -> regressed "queue-unstable"
///   otherwise                            -> inconclusive "queue-unstable"
/// Absent where there is no such pair. `input` must have pairs.
std::optional<MetricVerdict> judge_unstable_queue(const Metric& metric, const Comparison& input);

}  // namespace stepgate
