// Which steps does a trace hold, and what do they span?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/study/trace_events.h"
#include "stats/spans.h"

namespace stepgate {

struct TraceSteps {
  std::vector<Span> ranges;             ///< ProfilerStep#N on the host, in order of time; empty without such ranges
  std::optional<std::uint32_t> thread;  ///< the thread that has them
  Span span;                            ///< what an account covers

  /// Divides sums into those of one step. Without ranges the span counts as one step.
  double count() const { return ranges.empty() ? 1.0 : static_cast<double>(ranges.size()); }
};

/// The span begins with the first range, so that each step has its wait for data in it, and ends with the last range
/// or with the last work of a device that was started before, whichever is later: a host that runs ahead leaves its
/// range before the device is done. Without ranges it covers all work of the devices, or all events where there is
/// none.
TraceSteps steps_of(const TraceEvents& trace);

}  // namespace stepgate
