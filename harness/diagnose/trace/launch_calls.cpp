#include "diagnose/trace/launch_calls.h"

#include <algorithm>
#include <cstddef>

namespace stepgate {

LaunchCalls::LaunchCalls(const TraceEvents& trace) : trace_(trace) {
  const auto starts_work = [](const TraceEvent& event) {
    return event.category == TraceCategory::runtime_call && event.correlation != 0;
  };
  calls_.reserve(static_cast<std::size_t>(std::count_if(trace.events.begin(), trace.events.end(), starts_work)));
  for (std::uint32_t index = 0; index < trace.events.size(); ++index) {
    if (starts_work(trace.events[index])) calls_.push_back(index);
  }
  std::sort(calls_.begin(), calls_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::int64_t first = trace.events[a].correlation;
    const std::int64_t second = trace.events[b].correlation;
    return first != second ? first < second : a < b;
  });
}

const TraceEvent* LaunchCalls::of(const TraceEvent& work) const {
  if (work.correlation == 0) return nullptr;
  const auto call = std::lower_bound(
      calls_.begin(), calls_.end(), work.correlation,
      [&](std::uint32_t index, std::int64_t number) { return trace_.events[index].correlation < number; });
  if (call == calls_.end() || trace_.events[*call].correlation != work.correlation) return nullptr;
  return &trace_.events[*call];
}

}  // namespace stepgate
