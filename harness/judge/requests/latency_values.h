// The requests of one process to its latencies: one value of each metric, whatever the number of requests.
#pragma once

#include <map>
#include <string>

#include "core/record/inference/request_times.h"

namespace stepgate {

/// Values by metric name, in natural units, and why the others are missing.
struct LatencyValues {
  std::map<std::string, double> values = {};
  std::map<std::string, std::string> absent = {};
};

/// Mean, longest, and the percentiles of core/catalogue/latency_metrics.h for which there are enough requests, by
/// definition 7 of Hyndman and Fan (stats/summary.h); requests per second; times of tokens. Requests with a cold shape
/// count as every other one: whoever sent them waited.
LatencyValues closed_loop_values(const ClosedLoop& loop);

/// The same from the scheduled arrivals. Empty but for the reason where the queue says nothing (open_loop_state.h).
LatencyValues open_loop_values(const OpenLoop& loop);

}  // namespace stepgate
