// How far ahead of its device the host queues: which of the two sets the pace of a step.
#pragma once

#include "judge/reduce/metric_collector.h"

namespace stepgate {

/// Medians over the windows of the e2e pass: enqueue_time_ns, enqueue_ratio, device_backlog_ratio (docs/design/
/// metrics.md, "Launch-bound"). Absent where the host computes while it is called.
void add_host_lead(const RunRecord& record, MetricCollector& collector);

}  // namespace stepgate
