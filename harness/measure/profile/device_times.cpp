#include "measure/profile/device_times.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace stepgate {
namespace {

std::int64_t duration_of(const TracedEvent& event) { return std::max<std::int64_t>(0, event.end_ns - event.start_ns); }

bool is_of_host(const TracedEvent& event) { return !event.on_device && !event.is_range; }

/// Nodes of autograd, its engine and collectives are events of the host too, and may stand around or within operators.
bool is_operator(const TracedEvent& event) {
  return event.name.find("::") != std::string::npos && !event.name.starts_with("autograd::") &&
         !event.name.starts_with("torch::autograd::");
}

/// The profiler shows a range of the program on the device as well, from its first kernel to its last.
std::unordered_map<std::uint64_t, std::int64_t> device_ns_by_operator(const std::vector<TracedEvent>& events) {
  std::set<std::string> ranges;
  for (const TracedEvent& event : events) {
    if (event.is_range) ranges.insert(event.name);
  }
  std::unordered_map<std::uint64_t, std::int64_t> found;
  for (const TracedEvent& event : events) {
    if (event.on_device && event.id != 0 && !ranges.contains(event.name)) found[event.id] += duration_of(event);
  }
  return found;
}

/// The ranges of boundaries, by their start. A range of the program within one may have its name.
std::vector<const TracedEvent*> boundary_ranges(const std::vector<TracedEvent>& events,
                                                const std::vector<std::string>& boundaries) {
  std::vector<const TracedEvent*> ranges;
  for (const TracedEvent& event : events) {
    const bool known = std::find(boundaries.begin(), boundaries.end(), event.name) != boundaries.end();
    if (event.is_range && !event.on_device && known) ranges.push_back(&event);
  }
  std::ranges::sort(ranges, {}, [](const TracedEvent* range) { return range->start_ns; });
  return ranges;
}

/// "" outside of all.
std::string boundary_at(std::int64_t ns, const std::vector<const TracedEvent*>& ranges) {
  auto at = std::ranges::upper_bound(ranges, ns, {}, [](const TracedEvent* range) { return range->start_ns; });
  while (at != ranges.begin()) {
    const TracedEvent& range = **--at;
    if (ns <= range.end_ns) return range.name;
  }
  return "";
}

/// An event of the host, with the work that it and those inside it led to.
struct TimedOperator {
  const TracedEvent* event;
  std::int64_t self_ns;
  std::int64_t total_ns;
};

/// By thread and start, an event before those inside it.
std::vector<TimedOperator> timed_operators(const std::vector<TracedEvent>& events,
                                           const std::unordered_map<std::uint64_t, std::int64_t>& device_ns) {
  std::vector<TimedOperator> operators;
  for (const TracedEvent& event : events) {
    if (!is_of_host(event)) continue;
    const auto at = device_ns.find(event.id);
    const std::int64_t ns = at == device_ns.end() ? 0 : at->second;
    operators.push_back({&event, ns, ns});
  }
  std::ranges::stable_sort(operators, {}, [](const TimedOperator& timed) {
    return std::tuple(timed.event->thread, timed.event->start_ns, -timed.event->end_ns);
  });
  return operators;
}

void add_to_callers(std::vector<TimedOperator>& operators) {
  std::vector<std::size_t> open;  // those around the operator in hand, the outermost first
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const TracedEvent& event = *operators[i].event;
    while (!open.empty()) {
      const TracedEvent& around = *operators[open.back()].event;
      if (around.thread == event.thread && event.start_ns < around.end_ns) break;
      open.pop_back();
    }
    for (const std::size_t caller : open) operators[caller].total_ns += operators[i].self_ns;
    open.push_back(i);
  }
}

}  // namespace

std::vector<DeviceTime> device_times(const std::vector<TracedEvent>& events,
                                     const std::vector<std::string>& boundaries) {
  const auto device_ns = device_ns_by_operator(events);
  if (device_ns.empty()) return {};
  std::vector<TimedOperator> operators = timed_operators(events, device_ns);
  add_to_callers(operators);
  const auto ranges = boundary_ranges(events, boundaries);
  std::map<std::tuple<std::string, std::string, std::vector<std::vector<std::int64_t>>>, DeviceTime> joined;
  for (const TimedOperator& timed : operators) {
    const TracedEvent& event = *timed.event;
    if (!is_operator(event)) continue;
    const std::string boundary = boundary_at(event.start_ns, ranges);
    if (boundary.empty()) continue;
    DeviceTime& into = joined[{boundary, event.name, event.sizes}];
    if (into.calls++ == 0) {
      into.boundary = boundary;
      into.name = event.name;
      into.sizes = event.sizes;
    }
    into.self_ns += timed.self_ns;
    into.total_ns += timed.total_ns;
  }
  std::vector<DeviceTime> times;
  for (auto& [key, time] : joined) times.push_back(std::move(time));
  return times;
}

}  // namespace stepgate
