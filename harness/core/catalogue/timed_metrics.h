// The times and the rates that follow from them.
#pragma once

#include <array>
#include <cstddef>

#include "core/boundary.h"
#include "core/catalogue/row_kinds.h"

namespace stepgate::catalogue {

/// Scatters far more from process to process than the step time does, whatever the code: the first step by 3 to 10 %, a
/// loader that is drained in milliseconds by as much (docs/decisions/0012-what-may-keep-pairs-running.md).
constexpr Metric following(Metric metric, double ignore_margin, double matter_margin) {
  metric.follows = true;
  metric.ignore_margin = ignore_margin;
  metric.matter_margin = matter_margin;
  return metric;
}

/// What it does (operators, allocations, primitives, graphs) is counted exactly and gates, so its time need not
/// (docs/decisions/0036-the-time-of-the-first-step-withholds-no-verdict.md).
constexpr Metric counted_beside(Metric metric) {
  metric.never_withholds = true;
  return metric;
}

/// Work of a step over its time: a policy may let it gate by the test of that time.
constexpr Metric rate_of_step(std::string_view name, MetricUnit unit, std::string_view label) {
  return {.name = name,
          .unit = unit,
          .direction = higher,
          .tier = Tier::timed,
          .gates = false,
          .label = label,
          .shares_test_of = "step_time_mean_ns"};
}

/// Shown; a budget of the policy can limit it.
constexpr Metric energy(std::string_view name, std::string_view label) {
  return {
      .name = name, .unit = MetricUnit::joule, .direction = lower, .tier = Tier::timed, .gates = false, .label = label};
}

inline constexpr std::array gating_times = {
    Metric{"step_time_ns", ns, lower, Tier::timed, true, "step time"},
    Metric{"step_time_mean_ns", ns, lower, Tier::timed, true, "step time, mean"},
    counted_beside(following({"first_step_ns", ns, lower, Tier::timed, true, "first step"}, 0.1, 0.3)),
    Metric{"effective_tokens_per_s", MetricUnit::tokens_per_s, higher, Tier::timed, true, "effective tokens"},
    following({"loader_samples_per_s", MetricUnit::samples_per_s, higher, Tier::timed, true, "loader supply"}, 0.05,
              0.2),
};

/// Only a device has them. Its work scatters by 0.1 % from process to process where the host scatters by 10 %, so it
/// shows a slower kernel behind a slow host (docs/decisions/0063-the-time-of-the-device-gates.md).
inline constexpr std::array gating_device_times = {
    Metric{"device_time_ns", ns, lower, Tier::timed, true, "device time"},
};

/// A row for each boundary of the table, and one for those that a loop names itself.
constexpr std::array<Metric, boundary_count + 1> boundary_times() {
  std::array<Metric, boundary_count + 1> times{};
  for (std::size_t i = 0; i < boundary_count; ++i) {
    times[i] = {boundary_table[i].metric, ns, lower, Tier::timed, false, boundary_table[i].label};
  }
  times.back() = {own_boundary_family, ns, lower, Tier::timed, false, "*"};
  return times;
}

/// They explain, and decide no verdict.
inline constexpr std::array explaining_times = {
    Metric{"synthetic_step_ns", ns, lower, Tier::timed, false, "synthetic step"},
    Metric{"reference_step_ns", ns, lower, Tier::timed, false, "reference case"},
    rate_of_step("tflop_per_s", MetricUnit::tflop_per_s, "model FLOPs"),
    rate_of_step("mfu_ratio", ratio, "MFU"),
    Metric{"enqueue_time_ns", ns, lower, Tier::timed, false, "host time to queue a step"},
    Metric{"enqueue_ratio", ratio, lower, Tier::timed, false, "queueing / step"},
    Metric{"device_backlog_ratio", ratio, higher, Tier::timed, false, "steps queued ahead"},
    rate_of_step("samples_per_s", MetricUnit::samples_per_s, "samples"),
    rate_of_step("steps_per_s", MetricUnit::steps_per_s, "steps"),
    rate_of_step("padded_tokens_per_s", MetricUnit::tokens_per_s, "padded tokens"),
    Metric{"padding_ratio", ratio, lower, Tier::timed, false, "padding ratio"},
    Metric{"stall_ratio", ratio, lower, Tier::timed, false, "stall (1 - synthetic/e2e)"},
    Metric{"sync_tax_ratio", ratio, lower, Tier::timed, false, "cost of synchronising"},
    Metric{"supply_ratio", ratio, higher, Tier::timed, false, "loader supply / compute demand"},
    Metric{"h2d_batch_bytes_per_s", MetricUnit::bytes_per_s, higher, Tier::timed, false,
           "H2D rate of a batch as it is"},
    Metric{"h2d_pageable_bytes_per_s", MetricUnit::bytes_per_s, higher, Tier::timed, false, "H2D rate, pageable"},
    Metric{"h2d_pinned_bytes_per_s", MetricUnit::bytes_per_s, higher, Tier::timed, false, "H2D rate, pinned"},
    Metric{"h2d_link_share", ratio, higher, Tier::timed, false, "share of the link"},
    Metric{"h2d_split_ratio", ratio, lower, Tier::timed, false, "batch as it is / one tensor"},
    Metric{"h2d_overlap_ratio", ratio, higher, Tier::timed, false, "copy hidden behind compute"},
    Metric{"device_idle_ratio", ratio, lower, Tier::timed, false, "device idle"},
    Metric{"background_cpu_ns_per_step", ns, lower, Tier::timed, false, "CPU time beside the step"},
    Metric{"gpu_clock_mhz", MetricUnit::megahertz, higher, Tier::timed, false, "GPU clock"},
    energy("gpu_energy_per_step_j", "GPU energy of a step"),
    energy("gpu_energy_per_sample_j", "GPU energy of a sample"),
    energy("package_energy_per_step_j", "CPU package energy of a step"),
    energy("package_energy_per_sample_j", "CPU package energy of a sample"),
    Metric{"logging_cost_ns", ns, lower, Tier::timed, false, "logging on - off"},
    Metric{"checkpoint_save_ns", ns, lower, Tier::timed, false, "saving a checkpoint"},
    Metric{"allreduce_ns", ns, lower, Tier::timed, false, "gradient exchange"},
    Metric{"allreduce_wait_ns", ns, lower, Tier::timed, false, "wait for gradients"},
    Metric{"allreduce_overlap_ratio", ratio, higher, Tier::timed, false, "exchange hidden behind backward"},
};

}  // namespace stepgate::catalogue
