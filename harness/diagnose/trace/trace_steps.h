// Which steps does a trace hold, and what do they span?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/study/trace_events.h"
#include "diagnose/trace/launch_calls.h"
#include "stats/spans.h"

namespace stepgate {

struct TraceSteps {
  std::vector<Span> ranges;             ///< ProfilerStep#N on the host, in order of time; empty without such ranges
  std::optional<std::uint16_t> thread;  ///< the thread that has them
  Spans cycles;                         ///< what an account covers: one stretch for each recorded cycle
  std::int64_t repeated = 0;            ///< ranges that lie on another one, and do not count

  /// Divides sums into those of one step. Without ranges the span counts as one step.
  double count() const { return ranges.empty() ? 1.0 : static_cast<double>(ranges.size()); }
  std::int64_t length() const { return total_length(cycles); }
  Span whole() const { return cycles.empty() ? Span{} : Span{cycles.front().begin, cycles.back().end}; }
  /// Between the cycles: nobody knows what the program did then.
  Spans pauses() const { return without({whole()}, cycles); }
};

/// A cycle begins with its first range, so that each step has its wait for data in it, and ends with its last range or
/// with the last work of a device that was started before, whichever is later: a host that runs ahead leaves its range
/// before the device is done. A new one begins where step numbers are left out, or start again: what the program did
/// between both was not recorded. Without ranges there is one stretch, over all work of the devices, or all events
/// where there is none.
TraceSteps steps_of(const TraceEvents& trace, const LaunchCalls& calls);

}  // namespace stepgate
