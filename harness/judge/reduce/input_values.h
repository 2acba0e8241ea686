// Timed metrics around the step: loader supply, host-to-device copies, logging, gradient exchange
// (docs/design/metrics.md, "From samples to values").
#pragma once

#include "core/record/run_record.h"
#include "judge/reduce/metric_collector.h"

namespace stepgate {

/// loader_samples_per_s: samples over wall time, median over the windows of the loader pass. Single waits are not used,
/// because with workers they alternate between nothing and a whole batch. supply_ratio: that rate over the rate of the
/// synthetic pass. At 1 or below the step must wait for data.
void add_loader(const RunRecord& record, MetricCollector& collector);

/// h2d_batch_bytes_per_s of the workload's own tensors and h2d_split_ratio, their time over that of one tensor of the
/// same size; h2d_pinned_bytes_per_s and h2d_pageable_bytes_per_s of the largest single tensor, each the median of its
/// trials; h2d_link_share, the pinned rate over the link's capacity. From the e2e pass, over all its steps:
/// h2d_overlap_ratio, the share of copying that ran beside compute.
void add_copies(const RunRecord& record, MetricCollector& collector);

/// device_idle_ratio: 1 - w/t. w is the time per step in which the device ran at least one kernel, copy or memset, from
/// the device_work pass; t is the wall time per step of the e2e pass, which no tracing slows. Both are means over the
/// windows without a new shape. 0 where tracing lengthened the work beyond t: the device never idles.
void add_device_idle(const RunRecord& record, MetricCollector& collector);

/// device_time_ns: that w. Absent for the reason of device_idle_ratio where the pass could not run.
void add_device_time(const RunRecord& record, MetricCollector& collector);

/// logging_cost_ns per step: the mean over the pass's ABBA blocks of (on + on - off - off) / 2. May be zero or
/// negative.
void add_logging(const RunRecord& record, MetricCollector& collector);

/// checkpoint_save_ns: median over the saves of the checkpoint pass. Nothing, not even a reason, where none was asked
/// for.
void add_checkpoint_save(const RunRecord& record, MetricCollector& collector);

/// allreduce_ns and allreduce_wait_ns, medians over the steps of the e2e pass, and allreduce_overlap_ratio,
/// 1 - wait/exchange over all of them.
void add_exchange(const RunRecord& record, MetricCollector& collector);

}  // namespace stepgate
