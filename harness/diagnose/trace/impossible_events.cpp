#include "diagnose/trace/impossible_events.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "diagnose/trace/launch_calls.h"
#include "stats/spans.h"

namespace stepgate {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
/// Own choice: no profiler has the memory to record for so long.
constexpr std::int64_t longest_recording_ns = 86'400 * second_ns;
/// Own choice: clocks of host and device differ by microseconds. Those that lose each other differ by hours.
constexpr std::int64_t clock_difference_ns = second_ns;
/// Own choice: how long after the last call of the host a device may still work on what was asked of it.
constexpr std::int64_t longest_queue_ns = 60 * second_ns;

template <typename Impossible>
void take_out(TraceEvents& trace, const std::string& what, const Impossible& impossible) {
  EventTally tally;
  std::erase_if(trace.events, [&](const TraceEvent& event) {
    if (!impossible(event)) return false;
    ++tally.events;
    tally.ns += static_cast<double>(event.duration_ns);
    return true;
  });
  if (tally.events == 0) return;
  EventTally& all = trace.left_out[what];
  all.events += tally.events;
  all.ns += tally.ns;
}

/// Of the events that have a time; of some thousands where there are more.
std::int64_t median_start_ns(const TraceEvents& trace) {
  constexpr std::size_t most_looked_at = 10'000;
  const std::size_t stride = trace.events.size() / most_looked_at + 1;
  std::vector<std::int64_t> starts;
  for (std::size_t index = 0; index < trace.events.size(); index += stride) {
    if (trace.events[index].start_ns != 0) starts.push_back(trace.events[index].start_ns);
  }
  if (starts.empty()) return 0;
  const auto middle = starts.begin() + static_cast<std::ptrdiff_t>(starts.size() / 2);
  std::nth_element(starts.begin(), middle, starts.end());
  return *middle;
}

/// From the first to the last event of the host; empty without one.
Span time_of_host(const TraceEvents& trace) {
  Span host{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const TraceEvent& event : trace.events) {
    if (is_on_device(event.category)) continue;
    host.begin = std::min(host.begin, event.start_ns);
    host.end = std::max(host.end, event.end_ns());
  }
  return host.begin < host.end ? host : Span{};
}

void take_out_early_work(TraceEvents& trace) {
  const auto early = [](const TraceEvent& work, const TraceEvent* call) {
    return call != nullptr && work.start_ns < call->start_ns - clock_difference_ns;
  };
  std::vector<std::uint32_t> found;
  {
    const LaunchCalls calls(trace);
    for (std::uint32_t index = 0; index < trace.events.size(); ++index) {
      const TraceEvent& event = trace.events[index];
      if (is_on_device(event.category) && early(event, calls.of(event))) found.push_back(index);
    }
  }
  if (found.empty()) return;
  // Marks them by a length that no event has, since their indices change while they are taken out.
  EventTally& tally = trace.left_out["of a device before the call that started them"];
  for (const std::uint32_t index : found) {
    ++tally.events;
    tally.ns += static_cast<double>(trace.events[index].duration_ns);
    trace.events[index].duration_ns = -1;
  }
  std::erase_if(trace.events, [](const TraceEvent& event) { return event.duration_ns < 0; });
}

}  // namespace

void leave_out_impossible(TraceEvents& trace) {
  const std::int64_t middle = median_start_ns(trace);
  if (middle > second_ns) {
    take_out(trace, "at time 0", [](const TraceEvent& event) { return event.start_ns == 0; });
  }
  take_out(trace, "a day apart from the others, or a day long", [&](const TraceEvent& event) {
    return event.start_ns < middle - longest_recording_ns || event.start_ns > middle + longest_recording_ns ||
           event.duration_ns > longest_recording_ns;
  });
  const Span host = time_of_host(trace);
  if (host.length() > 0) {
    take_out(trace, "of a device outside of the time that was recorded", [&](const TraceEvent& event) {
      return is_on_device(event.category) &&
             (event.start_ns < host.begin - clock_difference_ns || event.end_ns() > host.end + longest_queue_ns);
    });
  }
  take_out_early_work(trace);
}

}  // namespace stepgate
