// Which call on the host started a piece of work of a device?
#pragma once

#include <cstdint>
#include <vector>

#include "core/study/trace_events.h"

namespace stepgate {

/// The calls of a trace by the number that they share with the work that they started. The trace must outlive it and
/// stay as it is.
class LaunchCalls {
 public:
  explicit LaunchCalls(const TraceEvents& trace);

  /// Of several calls with this number the last that began before the work: a file of several runs has each number
  /// several times. Of a call of the runtime and that of the driver within it the first. Null if the trace lacks it.
  const TraceEvent* of(const TraceEvent& work) const;

 private:
  const TraceEvents& trace_;
  std::vector<std::uint32_t> calls_;  ///< indices, by number and begin
};

}  // namespace stepgate
