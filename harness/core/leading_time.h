// The time that stands for a whole case: of a step, or of a request where the case infers.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

namespace stepgate {

/// A case has one of them: latencies stand in place of step times (judge/reduce/reduce_timed.h).
inline constexpr std::array<std::string_view, 2> leading_times = {"step_time_ns", "latency_mean_ns"};

constexpr bool is_leading_time(std::string_view metric) {
  return std::find(leading_times.begin(), leading_times.end(), metric) != leading_times.end();
}

/// The one that `timed` has values of, by metric; "step_time_ns" where it has none.
template <typename Values>
std::string leading_time_of(const std::map<std::string, Values>& timed) {
  for (const std::string_view metric : leading_times) {
    if (timed.contains(std::string(metric))) return std::string(metric);
  }
  return std::string(leading_times.front());
}

/// The gating time that a rate shares the test of (core/metric_row.h, shares_test_of): where `timed` has latencies in
/// place of step times, that of a request.
template <typename Values>
std::string shared_time(std::string_view time_of_step, const std::map<std::string, Values>& timed) {
  std::string time(time_of_step);
  return timed.contains(time) || !timed.contains("latency_mean_ns") ? time : "latency_mean_ns";
}

/// The times of whole steps and requests that gate: what makes one red made the step or the request slower.
inline constexpr std::array<std::string_view, 6> whole_times = {"step_time_ns",         "step_time_mean_ns",
                                                                "latency_mean_ns",      "latency_p99_ns",
                                                                "open_latency_mean_ns", "open_latency_p99_ns"};

/// Whether it is the latency of an open loop, which says nothing where the queue grows.
constexpr bool is_open_latency(std::string_view metric) { return metric.starts_with("open_latency_"); }

}  // namespace stepgate
