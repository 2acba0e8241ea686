// What a step that is compiled ahead of time, or a CUDA graph, costs before it is fast, beside its eager twin.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace stepgate {

/// What was measured of one of the two cases.
struct PacedCase {
  std::string case_name;
  /// Metric -> median over the processes for times, the last counted step of the first process for counters. Of
  /// first_step_ns, step_time_ns, enqueue_time_ns and the counters of CUDA graphs with the time of their recording;
  /// what was not measured has no entry.
  std::map<std::string, double> values = {};
  std::optional<std::int64_t> compile_seconds = std::nullopt;  ///< fact of that name in the fingerprint

  bool operator==(const PacedCase&) const = default;
};

struct BreakEvenStudy {
  PacedCase fast;
  PacedCase twin;
  /// The first step after which `fast` has needed no more time in all than `twin`; absent where it never does.
  std::optional<std::int64_t> steps = std::nullopt;
  /// The same if the step is compiled for this run alone; absent if it never breaks even, and without compile_seconds.
  std::optional<std::int64_t> steps_with_compiling = std::nullopt;

  bool operator==(const BreakEvenStudy&) const = default;
};

}  // namespace stepgate
