// The latencies of an inference case. Each process gives one value: a percentile of its requests is one observation.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/catalogue/timed_metrics.h"

namespace stepgate::catalogue {

/// A percentile needs so many requests beyond it: then chance moves it by about a third of what the tail spreads, and
/// P99 of 1 000 requests is as well known as P99.9 of 10 000 (docs/decisions/0041-percentiles-of-processes.md).
inline constexpr std::int64_t fewest_beyond = 10;

struct LatencyPercentile {
  std::string_view metric;       ///< in a closed loop
  std::string_view open_metric;  ///< in an open loop
  double probability;
  std::int64_t fewest_requests;  ///< of a process; with fewer the metric is absent
};

inline constexpr std::array latency_percentiles = {
    LatencyPercentile{"latency_p50_ns", "open_latency_p50_ns", 0.5, 2 * fewest_beyond},
    LatencyPercentile{"latency_p90_ns", "open_latency_p90_ns", 0.9, 10 * fewest_beyond},
    LatencyPercentile{"latency_p95_ns", "open_latency_p95_ns", 0.95, 20 * fewest_beyond},
    LatencyPercentile{"latency_p99_ns", "open_latency_p99_ns", 0.99, 100 * fewest_beyond},
    LatencyPercentile{"latency_p99_9_ns", "open_latency_p99_9_ns", 0.999, 1000 * fewest_beyond},
};

/// The noise of a percentile is that of the few requests beyond it, so it needs wider margins than a mean. Own choice:
/// those of loader supply. `verdict_lab --tables latency` shows what they promise.
inline constexpr double tail_ignore_margin = 0.05;
inline constexpr double tail_matter_margin = 0.2;

constexpr Metric latency(std::string_view name, std::string_view label) {
  return {.name = name, .unit = ns, .direction = lower, .tier = Tier::timed, .gates = false, .label = label};
}

constexpr Metric gating(Metric metric) {
  metric.gates = true;
  return metric;
}

/// A tail of few requests or a mean that a queue stretches.
constexpr Metric of_tail(Metric metric) { return following(metric, tail_ignore_margin, tail_matter_margin); }

/// The same margins of one that decides nothing.
constexpr Metric explaining_tail(Metric metric) {
  metric.ignore_margin = tail_ignore_margin;
  metric.matter_margin = tail_matter_margin;
  return metric;
}

/// Where a case infers, these gate in place of the times of a step.
inline constexpr std::array gating_latencies = {
    gating(latency("latency_mean_ns", "latency, mean")),
    gating(of_tail(latency("latency_p99_ns", "latency, P99"))),
    gating(of_tail(latency("open_latency_mean_ns", "latency at the given rate, mean"))),
    gating(of_tail(latency("open_latency_p99_ns", "latency at the given rate, P99"))),
};

/// They explain, and decide no verdict. Beside a red they are tested as boundaries are.
inline constexpr std::array explaining_latencies = {
    latency("latency_p50_ns", "latency, P50"),
    latency("latency_p90_ns", "latency, P90"),
    latency("latency_p95_ns", "latency, P95"),
    explaining_tail(latency("latency_p99_9_ns", "latency, P99.9")),
    explaining_tail(latency("latency_max_ns", "latency, longest")),
    explaining_tail(latency("open_latency_p50_ns", "latency at the given rate, P50")),
    explaining_tail(latency("open_latency_p90_ns", "latency at the given rate, P90")),
    explaining_tail(latency("open_latency_p95_ns", "latency at the given rate, P95")),
    explaining_tail(latency("open_latency_p99_9_ns", "latency at the given rate, P99.9")),
    explaining_tail(latency("open_latency_max_ns", "latency at the given rate, longest")),
    explaining_tail(latency("first_token_ns", "time to the first token")),
    latency("next_token_ns", "time of a further token"),
    Metric{"requests_per_s", MetricUnit::requests_per_s, higher, Tier::timed, false, "requests"},
};

}  // namespace stepgate::catalogue
