// Rates that a policy lets gate. Each is the work of a step over its time, or of a request over its latency, so the
// test of that time decides it (docs/decisions/0040-a-rate-shares-the-test-of-its-time.md).
#pragma once

#include <optional>
#include <vector>

#include "core/metric.h"
#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"
#include "judge/interval/session_clusters.h"

namespace stepgate {

/// `metrics` with the rates that the policy lets gate in this case in front, marked as gating: a red is then told in
/// the unit that its user chose. A rate that the list lacks is added where timed processes were clean.
std::vector<Metric> with_gating_rates(const Comparison& input, std::vector<Metric> metrics);

/// "rate-unmeasured", failed, where the policy lets a rate gate and the measurement lacks it. Absent otherwise, and for
/// every metric that is no such rate.
std::optional<MetricVerdict> unmeasured_rate(const Metric& metric, const Comparison& input);

/// Fails the verdict on such a rate, "work-varies", where the work of a step differs from pair to pair: the rate is
/// then no function of the time. A verdict that has failed anyway, or that was made without pairs, stays.
void require_equal_work(const Metric& metric, const PairedValues& pairs, MetricVerdict& verdict);

/// The same by sessions. Where only some of them hold the rate, also of those that count as one, it is not judged,
/// "new-metric": its test would not be that of the time.
void require_equal_work(const Metric& metric, const std::vector<SessionCluster>& clusters, MetricVerdict& verdict);

/// The sessions of the runner baseline, of which it must have one, with the rates that follow from what they hold. MFU
/// always comes from their FLOPs per second by the peak that `current` was divided by: a policy may state another peak
/// than it did when they were stored. Where the policy lets a rate gate, steps per second come from the times. Empty
/// where the stored values can stay as they are.
std::vector<Session> sessions_with_rates(const Comparison& input);

}  // namespace stepgate
