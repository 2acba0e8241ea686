#include "judge/reduce/input_values.h"

#include <algorithm>
#include <vector>

#include "core/units.h"
#include "judge/reduce/find_pass.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr const char* no_loader_pass = "the loader pass did not run";
constexpr const char* no_h2d_pass = "the h2d pass did not run";
constexpr const char* all_left_out = "every window met a new shape or held a skipped update";
constexpr const char* nothing_exchanged = "the workload exchanges no gradients";

double samples_in(const TimedPass& pass, const Window& window) {
  double samples = 0;
  const auto end = std::min<std::int64_t>(window.first_step + window.steps, std::ssize(pass.steps));
  for (std::int64_t i = std::max<std::int64_t>(0, window.first_step); i < end; ++i) {
    samples += static_cast<double>(pass.steps[static_cast<std::size_t>(i)].samples);
  }
  return samples;
}

/// Samples per second of each window; empty if the workload counts none.
std::vector<double> window_rates(const TimedPass* pass) {
  std::vector<double> rates;
  if (pass == nullptr) return rates;
  for (const Window& window : pass->windows) {
    const double samples = samples_in(*pass, window);
    if (window.wall_ns > 0 && samples > 0 && !window.left_out()) {
      rates.push_back(samples * ns_per_s / static_cast<double>(window.wall_ns));
    }
  }
  return rates;
}

double median_ns(const CopySeries& series) {
  const std::vector<double> trials(series.trial_ns.begin(), series.trial_ns.end());
  return trials.empty() ? 0 : median(trials);
}

double bytes_per_s(const CopySeries& series) {
  const double ns = median_ns(series);
  return ns > 0 ? static_cast<double>(series.bytes) * ns_per_s / ns : 0;
}

/// The largest single tensor from one kind of memory; nullptr if there is none.
const CopySeries* largest_single(const CopyTrials& trials, bool pinned) {
  const CopySeries* found = nullptr;
  for (const CopySeries& series : trials.series) {
    if (series.layout != CopyLayout::single || series.pinned != pinned) continue;
    if (found == nullptr || series.bytes > found->bytes) found = &series;
  }
  return found;
}

void add_batch_rate(const CopyTrials& trials, MetricCollector& collector) {
  const auto batch = std::find_if(trials.series.begin(), trials.series.end(),
                                  [](const CopySeries& series) { return series.layout == CopyLayout::batch; });
  if (batch == trials.series.end()) {
    collector.miss("h2d_batch_bytes_per_s", "a batch has no bytes");
    collector.miss("h2d_split_ratio", "a batch has no bytes");
    return;
  }
  collector.add_positive("h2d_batch_bytes_per_s", bytes_per_s(*batch), "the copy took no time");
  const auto single = std::find_if(trials.series.begin(), trials.series.end(), [&](const CopySeries& series) {
    return series.layout == CopyLayout::single && series.bytes == batch->bytes && series.pinned == batch->pinned;
  });
  if (single != trials.series.end() && median_ns(*single) > 0) {
    collector.add("h2d_split_ratio", median_ns(*batch) / median_ns(*single));
  } else {
    collector.miss("h2d_split_ratio", "one tensor of the batch's size was not copied");
  }
}

void add_link_rates(const CopyTrials& trials, MetricCollector& collector) {
  const CopySeries* pageable = largest_single(trials, false);
  const CopySeries* pinned = largest_single(trials, true);
  collector.add_positive("h2d_pageable_bytes_per_s", pageable == nullptr ? 0 : bytes_per_s(*pageable), "not copied");
  collector.add_positive("h2d_pinned_bytes_per_s", pinned == nullptr ? 0 : bytes_per_s(*pinned), "not copied");
  if (pinned != nullptr && trials.link_bytes_per_s && *trials.link_bytes_per_s > 0) {
    collector.add("h2d_link_share", bytes_per_s(*pinned) / static_cast<double>(*trials.link_bytes_per_s));
  } else {
    collector.miss("h2d_link_share", "the link's speed is not known");
  }
}

/// Sums over the steps with device events, for the share of the copy that overlapped compute.
struct OverlapSums {
  double copy_ns = 0;
  double overlap_ns = 0;
};

OverlapSums overlap_of(const TimedPass& pass) {
  OverlapSums sums;
  for (const StepSample& step : pass.steps) {
    if (!step.device_ns || !step.overlap_ns || step.left_out()) continue;
    const BoundaryTimes& device = *step.device_ns;
    sums.copy_ns += static_cast<double>(device[static_cast<std::size_t>(Boundary::h2d)]);
    sums.overlap_ns += static_cast<double>(*step.overlap_ns);
  }
  return sums;
}

void add_overlap(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  const OverlapSums sums = pass == nullptr ? OverlapSums{} : overlap_of(*pass);
  if (sums.copy_ns > 0) {
    collector.add("h2d_overlap_ratio", sums.overlap_ns / sums.copy_ns);
  } else {
    collector.miss("h2d_overlap_ratio", "the device records no events of its copies");
  }
}

/// Nanoseconds per step over windows that are not left out; 0 where there are none.
template <typename SomeWindow>
double ns_per_step(const std::vector<SomeWindow>& windows, std::int64_t SomeWindow::*ns) {
  double sum_ns = 0;
  double steps = 0;
  for (const SomeWindow& window : windows) {
    if (window.left_out() || window.steps <= 0) continue;
    sum_ns += static_cast<double>(window.*ns);
    steps += static_cast<double>(window.steps);
  }
  return steps > 0 ? sum_ns / steps : 0;
}

}  // namespace

void add_loader(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::loader);
  const std::vector<double> supply = window_rates(pass);
  if (supply.empty()) {
    const std::string reason = pass == nullptr ? no_loader_pass : "the workload counts no samples";
    collector.miss("loader_samples_per_s", reason);
    collector.miss("supply_ratio", reason);
    return;
  }
  collector.add("loader_samples_per_s", median(supply));
  const std::vector<double> demand = window_rates(find_pass(record, Pass::synthetic));
  if (demand.empty()) {
    collector.miss("supply_ratio", "needs the loader and the synthetic pass");
  } else {
    collector.add("supply_ratio", median(supply) / median(demand));
  }
}

void add_copies(const RunRecord& record, MetricCollector& collector) {
  if (record.h2d) {
    add_batch_rate(*record.h2d, collector);
    add_link_rates(*record.h2d, collector);
  } else {
    for (const char* metric : {"h2d_batch_bytes_per_s", "h2d_split_ratio", "h2d_pageable_bytes_per_s",
                               "h2d_pinned_bytes_per_s", "h2d_link_share"}) {
      collector.miss(metric, no_h2d_pass);
    }
  }
  add_overlap(record, collector);
}

void add_device_time(const RunRecord& record, MetricCollector& collector) {
  const double work_ns = ns_per_step(record.device_work, &DeviceWorkWindow::work_ns);
  if (work_ns > 0) {
    collector.add("device_time_ns", work_ns);
  } else if (record.device_work.empty()) {
    const auto why = record.absent.find("device_idle_ratio");
    collector.miss("device_time_ns", why != record.absent.end() ? why->second : "needs the device_work pass");
  } else {
    collector.miss("device_time_ns", all_left_out);
  }
}

void add_device_idle(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  if (record.device_work.empty() || pass == nullptr) {
    collector.miss("device_idle_ratio", "needs the e2e and the device_work pass");
    return;
  }
  const double work_ns = ns_per_step(record.device_work, &DeviceWorkWindow::work_ns);
  const double wall_ns = ns_per_step(pass->windows, &Window::wall_ns);
  if (work_ns > 0 && wall_ns > 0) {
    collector.add("device_idle_ratio", std::max(0.0, 1 - work_ns / wall_ns));
  } else {
    collector.miss("device_idle_ratio", all_left_out);
  }
}

void add_logging(const RunRecord& record, MetricCollector& collector) {
  double difference_ns = 0;
  std::int64_t steps_on = 0;
  std::int64_t steps_off = 0;
  for (const LoggingBlock& block : record.logging) {
    if (block.skipped_update) continue;
    difference_ns += static_cast<double>(block.on ? block.wall_ns : -block.wall_ns);
    (block.on ? steps_on : steps_off) += block.steps;
  }
  if (steps_on > 0 && steps_on == steps_off) {
    collector.add("logging_cost_ns", difference_ns / static_cast<double>(steps_on));
  } else {
    collector.miss("logging_cost_ns", record.logging.empty() ? "the logging pass did not run"
                                                             : "as many steps without logging as with it are needed");
  }
}

void add_checkpoint_save(const RunRecord& record, MetricCollector& collector) {
  if (!record.checkpoint || record.checkpoint->save_ns.empty()) return;
  const std::vector<double> saves(record.checkpoint->save_ns.begin(), record.checkpoint->save_ns.end());
  collector.add("checkpoint_save_ns", median(saves));
}

void add_exchange(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  std::vector<double> exchange_ns;
  std::vector<double> wait_ns;
  if (pass != nullptr) {
    for (const StepSample& step : pass->steps) {
      if (!step.allreduce_ns || !step.allreduce_wait_ns || step.left_out()) continue;
      exchange_ns.push_back(static_cast<double>(*step.allreduce_ns));
      wait_ns.push_back(static_cast<double>(*step.allreduce_wait_ns));
    }
  }
  if (exchange_ns.empty() || !(mean(exchange_ns) > 0)) {
    for (const char* metric : {"allreduce_ns", "allreduce_wait_ns", "allreduce_overlap_ratio"}) {
      collector.miss(metric, nothing_exchanged);
    }
    return;
  }
  collector.add_positive("allreduce_ns", median(exchange_ns), nothing_exchanged);
  collector.add_positive("allreduce_wait_ns", median(wait_ns), "no rank waited");
  collector.add("allreduce_overlap_ratio", 1 - mean(wait_ns) / mean(exchange_ns));
}

}  // namespace stepgate
