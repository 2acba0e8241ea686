#include "diagnose/trace/operators_at.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace stepgate {
namespace {

/// Nodes of autograd have such names too, and a record does not count them as operators.
bool is_counted_operator(std::string_view name) {
  return name.find("::") != std::string_view::npos && !name.starts_with("autograd::") && !name.starts_with("torch::");
}

}  // namespace

OperatorsAt::OperatorsAt(const TraceEvents& trace) : trace_(trace), by_thread_(trace.threads.size()) {
  for (std::uint32_t index = 0; index < trace.events.size(); ++index) {
    const TraceEvent& event = trace.events[index];
    if (event.category == TraceCategory::operator_call && is_counted_operator(trace.name_of(event)))
      by_thread_[event.place].push_back({index, no_parent});
  }
  for (std::vector<Range>& ranges : by_thread_) nest(ranges);
}

void OperatorsAt::nest(std::vector<Range>& ranges) const {
  std::sort(ranges.begin(), ranges.end(), [&](const Range& first, const Range& second) {
    const TraceEvent& a = trace_.events[first.event];
    const TraceEvent& b = trace_.events[second.event];
    if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
    return a.duration_ns != b.duration_ns ? a.duration_ns > b.duration_ns : first.event < second.event;
  });
  std::uint32_t open = no_parent;
  for (std::uint32_t at = 0; at < ranges.size(); ++at) {
    const std::int64_t begin = trace_.events[ranges[at].event].start_ns;
    while (open != no_parent && trace_.events[ranges[open].event].end_ns() <= begin) open = ranges[open].parent;
    ranges[at].parent = open;
    open = at;
  }
}

const TraceEvent* OperatorsAt::around(const TraceEvent& call) const {
  const std::vector<Range>& ranges = by_thread_[call.place];
  const auto after = std::upper_bound(
      ranges.begin(), ranges.end(), call.start_ns,
      [&](std::int64_t time, const Range& range) { return time < trace_.events[range.event].start_ns; });
  if (after == ranges.begin()) return nullptr;
  std::uint32_t at = static_cast<std::uint32_t>(std::distance(ranges.begin(), after)) - 1;
  while (at != no_parent && trace_.events[ranges[at].event].end_ns() <= call.start_ns) at = ranges[at].parent;
  return at == no_parent ? nullptr : &trace_.events[ranges[at].event];
}

}  // namespace stepgate
