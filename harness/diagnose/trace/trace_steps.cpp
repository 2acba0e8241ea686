#include "diagnose/trace/trace_steps.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace stepgate {
namespace {

constexpr std::string_view step_prefix = "ProfilerStep#";

/// Smallest span that covers all events that `counts` accepts; empty if there are none.
template <typename Counts>
Span cover(const TraceEvents& trace, const Counts& counts) {
  Span span{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const TraceEvent& event : trace.events) {
    if (!counts(event)) continue;
    span.begin = std::min(span.begin, event.start_ns);
    span.end = std::max(span.end, event.end_ns());
  }
  return span.begin < span.end ? span : Span{};
}

void find_ranges(const TraceEvents& trace, TraceSteps& steps) {
  for (const TraceEvent& event : trace.events) {
    const bool host_range =
        event.category == TraceCategory::annotation || event.category == TraceCategory::operator_call;
    if (!host_range || event.duration_ns <= 0 || !trace.name_of(event).starts_with(step_prefix)) continue;
    if (!steps.thread) steps.thread = event.thread;
    if (event.thread == *steps.thread) steps.ranges.push_back({event.start_ns, event.end_ns()});
  }
  std::sort(steps.ranges.begin(), steps.ranges.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
}

/// End of the last device work that a call within `host` started.
std::int64_t end_of_work(const TraceEvents& trace, const Span& host) {
  std::unordered_set<std::int64_t> started;
  for (const TraceEvent& event : trace.events) {
    const bool call = event.category == TraceCategory::runtime_call && event.correlation != 0;
    if (call && event.start_ns >= host.begin && event.start_ns < host.end) started.insert(event.correlation);
  }
  std::int64_t end = host.end;
  for (const TraceEvent& event : trace.events) {
    if (is_on_device(event.category) && started.contains(event.correlation)) end = std::max(end, event.end_ns());
  }
  return end;
}

}  // namespace

TraceSteps steps_of(const TraceEvents& trace) {
  TraceSteps steps;
  find_ranges(trace, steps);
  if (!steps.ranges.empty()) {
    steps.span = {steps.ranges.front().begin, steps.ranges.back().end};
    steps.span.end = end_of_work(trace, steps.span);
    return steps;
  }
  steps.span = cover(trace, [](const TraceEvent& event) { return is_on_device(event.category); });
  if (steps.span.length() == 0) steps.span = cover(trace, [](const TraceEvent&) { return true; });
  return steps;
}

}  // namespace stepgate
