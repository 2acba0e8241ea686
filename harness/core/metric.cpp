#include "core/metric.h"

#include <array>

namespace stepgate {
namespace {

constexpr auto lower = Direction::lower_is_better;
constexpr auto higher = Direction::higher_is_better;
constexpr auto neither = Direction::neither;

// "gates" follows docs/design/metrics.md, "What gates": step, first step, peak memory, leak, every exact counter,
// numerics.
constexpr std::array catalogue = {
    Metric{"operators_per_step", "count", lower, Tier::exact, true, "operators"},
    Metric{"kernels_per_step", "count", lower, Tier::exact, true, "kernels"},
    Metric{"host_syncs_per_step", "count", lower, Tier::exact, true, "host syncs"},
    Metric{"allocations_per_step", "count", lower, Tier::exact, true, "allocations"},
    Metric{"allocated_bytes_per_step", "bytes", lower, Tier::exact, true, "bytes allocated"},
    Metric{"h2d_copies_per_step", "count", lower, Tier::exact, true, "H2D copies"},
    Metric{"h2d_bytes_per_step", "bytes", lower, Tier::exact, true, "H2D bytes"},
    Metric{"pageable_copies_per_step", "count", lower, Tier::exact, true, "H2D copies from pageable memory"},
    Metric{"d2h_copies_per_step", "count", lower, Tier::exact, true, "D2H copies"},
    Metric{"held_graphs_per_step", "count", lower, Tier::exact, true, "graphs of past steps still held"},
    Metric{"loader_operators_per_batch", "count", lower, Tier::exact, true, "loader operators"},
    Metric{"loader_allocations_per_batch", "count", lower, Tier::exact, true, "loader allocations"},
    Metric{"loader_bytes_per_batch", "bytes", lower, Tier::exact, true, "bytes allocated by the loader"},
    Metric{"padding_tokens_per_step", "count", lower, Tier::exact, true, "padding tokens"},
    Metric{"shapes_seen", "count", lower, Tier::exact, true, "input shapes seen"},
    Metric{"samples_per_step", "count", neither, Tier::exact, false, "samples"},
    Metric{"padded_tokens_per_step", "count", neither, Tier::exact, false, "padded tokens"},
    Metric{"effective_tokens_per_step", "count", neither, Tier::exact, false, "effective tokens"},

    Metric{"peak_allocated_bytes", "bytes", lower, Tier::bytes, true, "peak allocated"},
    Metric{"peak_reserved_bytes", "bytes", lower, Tier::bytes, true, "peak reserved"},
    Metric{"leak_bytes_per_step", "bytes", lower, Tier::bytes, true, "leak per step"},
    Metric{"resident_bytes", "bytes", lower, Tier::bytes, false, "resident at step end"},
    Metric{"reserved_growth_bytes_per_step", "bytes", lower, Tier::bytes, false, "growth of reserved memory"},
    Metric{"host_peak_bytes", "bytes", lower, Tier::bytes, false, "host peak (RSS)"},

    Metric{"loss", "", neither, Tier::numeric, true, "loss"},
    Metric{"grad_norm", "", neither, Tier::numeric, true, "gradient norm"},
    Metric{"final_loss", "", neither, Tier::numeric, true, "final loss over seeds"},

    Metric{"step_time_ns", "ns", lower, Tier::timed, true, "step time"},
    Metric{"step_time_mean_ns", "ns", lower, Tier::timed, true, "step time, mean"},
    Metric{"first_step_ns", "ns", lower, Tier::timed, true, "first step"},
    Metric{"effective_tokens_per_s", "tokens/s", higher, Tier::timed, true, "effective tokens"},
    Metric{"loader_samples_per_s", "samples/s", higher, Tier::timed, true, "loader supply"},
    Metric{"data_wait_ns", "ns", lower, Tier::timed, false, "data wait"},
    Metric{"h2d_ns", "ns", lower, Tier::timed, false, "host-to-device copy"},
    Metric{"forward_ns", "ns", lower, Tier::timed, false, "forward"},
    Metric{"backward_ns", "ns", lower, Tier::timed, false, "backward"},
    Metric{"optimizer_ns", "ns", lower, Tier::timed, false, "optimizer"},
    Metric{"logging_ns", "ns", lower, Tier::timed, false, "logging"},
    Metric{"synthetic_step_ns", "ns", lower, Tier::timed, false, "synthetic step"},
    Metric{"reference_step_ns", "ns", lower, Tier::timed, false, "reference case"},
    Metric{"samples_per_s", "samples/s", higher, Tier::timed, false, "samples"},
    Metric{"padded_tokens_per_s", "tokens/s", higher, Tier::timed, false, "padded tokens"},
    Metric{"padding_ratio", "ratio", lower, Tier::timed, false, "padding ratio"},
    Metric{"stall_ratio", "ratio", lower, Tier::timed, false, "stall (1 - synthetic/e2e)"},
    Metric{"sync_tax_ratio", "ratio", lower, Tier::timed, false, "cost of synchronising"},
    Metric{"supply_ratio", "ratio", higher, Tier::timed, false, "loader supply / compute demand"},
    Metric{"h2d_batch_bytes_per_s", "bytes/s", higher, Tier::timed, false, "H2D rate of a batch as it is"},
    Metric{"h2d_pageable_bytes_per_s", "bytes/s", higher, Tier::timed, false, "H2D rate, pageable"},
    Metric{"h2d_pinned_bytes_per_s", "bytes/s", higher, Tier::timed, false, "H2D rate, pinned"},
    Metric{"h2d_link_share", "ratio", higher, Tier::timed, false, "share of the link"},
    Metric{"h2d_split_ratio", "ratio", lower, Tier::timed, false, "batch as it is / one tensor"},
    Metric{"h2d_overlap_ratio", "ratio", higher, Tier::timed, false, "copy hidden behind compute"},
    Metric{"device_idle_ratio", "ratio", lower, Tier::timed, false, "device idle between steps"},
    Metric{"logging_cost_ns", "ns", lower, Tier::timed, false, "logging on - off"},
    Metric{"allreduce_ns", "ns", lower, Tier::timed, false, "gradient exchange"},
    Metric{"allreduce_wait_ns", "ns", lower, Tier::timed, false, "wait for gradients"},
    Metric{"allreduce_overlap_ratio", "ratio", higher, Tier::timed, false, "exchange hidden behind backward"},
};

}  // namespace

std::span<const Metric> metric_catalogue() { return catalogue; }

const Metric* find_metric(std::string_view name) {
  for (const Metric& metric : catalogue) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

std::string_view name_of(Tier tier) {
  constexpr std::array<std::string_view, 4> names = {"exact", "bytes", "timed", "numeric"};
  return names[static_cast<std::size_t>(tier)];
}

std::string_view name_of(Direction direction) {
  constexpr std::array<std::string_view, 3> names = {"lower_is_better", "higher_is_better", "neither"};
  return names[static_cast<std::size_t>(direction)];
}

std::string_view name_of(Scope scope) { return scope == Scope::portable ? "portable" : "runner"; }

}  // namespace stepgate
