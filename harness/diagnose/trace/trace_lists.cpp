#include "diagnose/trace/trace_lists.h"

#include <algorithm>

namespace stepgate {

void sort_by_begin(const TraceEvents& trace, std::vector<std::uint32_t>& events) {
  std::stable_sort(events.begin(), events.end(), [&](std::uint32_t a, std::uint32_t b) {
    return trace.events[a].start_ns < trace.events[b].start_ns;
  });
}

}  // namespace stepgate
