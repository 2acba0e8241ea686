#include "diagnose/trace/launch_calls.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace stepgate {
namespace {

/// Own choice: clocks of host and device differ by microseconds, and no program starts twice within a millisecond.
constexpr std::int64_t clocks_apart_ns = 1'000'000;

}  // namespace

LaunchCalls::LaunchCalls(const TraceEvents& trace) : trace_(trace) {
  const auto starts_work = [](const TraceEvent& event) {
    return event.category == TraceCategory::runtime_call && event.correlation != 0;
  };
  calls_.reserve(static_cast<std::size_t>(std::count_if(trace.events.begin(), trace.events.end(), starts_work)));
  for (std::uint32_t index = 0; index < trace.events.size(); ++index) {
    if (starts_work(trace.events[index])) calls_.push_back(index);
  }
  std::sort(calls_.begin(), calls_.end(), [&](std::uint32_t first, std::uint32_t second) {
    const TraceEvent& a = trace.events[first];
    const TraceEvent& b = trace.events[second];
    if (a.correlation != b.correlation) return a.correlation < b.correlation;
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : first < second;
  });
}

const TraceEvent* LaunchCalls::of(const TraceEvent& work) const {
  if (work.correlation == 0) return nullptr;
  const auto first = std::lower_bound(
      calls_.begin(), calls_.end(), work.correlation,
      [&](std::uint32_t index, std::int64_t number) { return trace_.events[index].correlation < number; });
  if (first == calls_.end() || trace_.events[*first].correlation != work.correlation) return nullptr;
  const auto second = std::next(first);
  if (second == calls_.end() || trace_.events[*second].correlation != work.correlation) return &trace_.events[*first];
  const auto after = std::upper_bound(first, calls_.end(), work.start_ns + clocks_apart_ns,
                                      [&](std::int64_t time, std::uint32_t index) {
                                        const TraceEvent& call = trace_.events[index];
                                        return call.correlation != work.correlation || call.start_ns > time;
                                      });
  if (after == first) return &trace_.events[*first];
  const auto latest = std::prev(after);
  if (latest == first) return &trace_.events[*latest];
  const TraceEvent& before = trace_.events[*std::prev(latest)];
  return before.end_ns() >= trace_.events[*latest].start_ns ? &before : &trace_.events[*latest];
}

}  // namespace stepgate
