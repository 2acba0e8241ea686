// Which steps a chrome trace holds.
#pragma once

#include <cstdint>
#include <string_view>

namespace stepgate {

/// `repeat` times: `wait` steps without profiler, `warmup` steps while it starts, `active` steps in the trace. `skip`
/// steps come before all. As in PyTorch's profiler.
struct TraceSchedule {
  std::int64_t skip = 3;
  std::int64_t wait = 0;
  std::int64_t warmup = 2;
  std::int64_t active = 5;
  std::int64_t repeat = 1;

  bool operator==(const TraceSchedule&) const = default;
};

/// A step of some thousand operators takes about 0.5 MB of trace and 6 us an operator to write
/// (docs/design/measurement.md).
inline constexpr std::int64_t most_traced_steps = 20;

/// Limit for one file: about 100 MB of text and 2 s to write, and viewers still open it. Own choice.
inline constexpr std::int64_t most_traced_calls = 200'000;

/// How many of the active steps one file takes: as many as have 200 000 calls of operators together, and at least one.
/// All of them where `calls_per_step` is 0: unknown.
std::int64_t steps_that_fit(const TraceSchedule& schedule, std::int64_t calls_per_step);

/// "skip=3,active=5"; what is not named keeps its default, and "" is all defaults. Throws Error(usage) naming the word
/// for unknown names, numbers below 0, active or repeat of 0, and more than 20 traced steps in all.
TraceSchedule read_trace_schedule(std::string_view text);

}  // namespace stepgate
