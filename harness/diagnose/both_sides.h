// Finds what a question compares: the stored value and the measured one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// nullptr where the verdict has no such metric.
const MetricVerdict* verdict_on(const JudgedComparison& input, std::string_view metric);

/// True where that metric is regressed.
bool is_red(const JudgedComparison& input, std::string_view metric);

/// True where any gating metric of that tier is regressed.
bool is_red(const JudgedComparison& input, Tier tier);

/// True where a time of whole steps or requests is regressed (core/leading_time.h).
bool is_whole_time_red(const JudgedComparison& input);

/// "step_time_ns", or "latency_mean_ns" where the case was judged by its latencies.
std::string leading_time(const JudgedComparison& input);

/// The baseline that holds counters, bytes and losses: the portable one on CPU, the runner's on CUDA. nullptr: none.
const Baseline* work_baseline(const JudgedComparison& input);

/// A timed value before and now, in natural units: as the verdict states them, else the medians over replicates.
struct TimedPair {
  double before = 0;
  double now = 0;

  double difference() const { return now - before; }
};
std::optional<TimedPair> timed_pair(const JudgedComparison& input, const std::string& metric);

/// Bytes before and now: the largest over the replicates of each side, because a peak that one replicate reached is a
/// peak. Absent where a side has none.
struct BytesPair {
  std::int64_t before = 0;
  std::int64_t now = 0;

  std::int64_t difference() const { return now - before; }
};
std::optional<BytesPair> bytes_pair(const JudgedComparison& input, const std::string& metric);

}  // namespace stepgate
