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

  /// Of several calls with this number the first of the file: one of the runtime, which called the driver. Null if the
  /// trace lacks it.
  const TraceEvent* of(const TraceEvent& work) const;

 private:
  const TraceEvents& trace_;
  std::vector<std::uint32_t> calls_;  ///< indices, by number and place in the file
};

}  // namespace stepgate
