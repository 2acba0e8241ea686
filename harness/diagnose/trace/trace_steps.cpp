#include "diagnose/trace/trace_steps.h"

#include <algorithm>
#include <limits>
#include <map>

namespace stepgate {
namespace {

struct StepRange {
  Span span;
  std::int64_t number = no_step_number;
};

/// Smallest span that covers all events that `counts` accepts; none if there are none.
template <typename Counts>
Spans cover(const TraceEvents& trace, const Counts& counts) {
  Span span{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const TraceEvent& event : trace.events) {
    if (!counts(event)) continue;
    span.begin = std::min(span.begin, event.start_ns);
    span.end = std::max(span.end, event.end_ns());
  }
  return span.begin < span.end ? Spans{span} : Spans{};
}

bool is_step(const TraceEvent& event) { return event.category == TraceCategory::step && event.duration_ns > 0; }

/// The thread with most of them, the first of the file among equals.
std::optional<std::uint16_t> thread_of_steps(const TraceEvents& trace) {
  std::map<std::uint16_t, std::int64_t> counts;
  std::optional<std::uint16_t> most;
  for (const TraceEvent& event : trace.events) {
    if (!is_step(event)) continue;
    if (!most) most = event.place;
    ++counts[event.place];
  }
  for (const auto& [thread, count] : counts) {
    if (count > counts[*most]) most = thread;
  }
  return most;
}

/// In order of time; of two that begin together the longer one first.
std::vector<StepRange> ranges_of(const TraceEvents& trace, std::uint16_t thread) {
  std::vector<StepRange> ranges;
  for (const TraceEvent& event : trace.events) {
    if (is_step(event) && event.place == thread)
      ranges.push_back({{event.start_ns, event.end_ns()}, event.correlation});
  }
  std::stable_sort(ranges.begin(), ranges.end(), [](const StepRange& a, const StepRange& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end > b.span.end;
  });
  return ranges;
}

/// Older versions of PyTorch wrote a step as an operator and as an annotation, and a program with two profilers has
/// each step twice. Steps of one loop follow each other, so a range that shares more than a tenth of its time with the
/// one before is that step once more (own choice of a tenth).
bool is_repeated(const Span& before, const Span& range) {
  const std::int64_t shared = std::min(before.end, range.end) - range.begin;
  return shared > 0 && 10 * shared > std::min(before.length(), range.length());
}

bool is_next_cycle(const StepRange& before, const StepRange& range) {
  const bool numbered = before.number != no_step_number && range.number != no_step_number;
  return numbered && range.number != before.number + 1 && range.span.begin > before.span.end;
}

void find_ranges(const TraceEvents& trace, TraceSteps& steps) {
  std::optional<StepRange> before;
  for (StepRange range : ranges_of(trace, *steps.thread)) {
    if (before && is_repeated(before->span, range.span)) {
      ++steps.repeated;
      continue;
    }
    if (before) range.span.begin = std::max(range.span.begin, before->span.end);
    steps.ranges.push_back(range.span);
    if (!before || is_next_cycle(*before, range)) {
      steps.cycles.push_back(range.span);
    } else {
      steps.cycles.back().end = range.span.end;
    }
    before = range;
  }
}

/// To the end of the last device work that a call within a cycle started, but not into the next cycle.
void extend_cycles(const TraceEvents& trace, const LaunchCalls& calls, Spans& cycles) {
  const Spans on_host = cycles;
  for (const TraceEvent& event : trace.events) {
    const TraceEvent* call = is_on_device(event.category) ? calls.of(event) : nullptr;
    if (call == nullptr) continue;
    const auto cycle = first_after(on_host, call->start_ns);
    if (cycle == on_host.end() || cycle->begin > call->start_ns) continue;
    Span& extended = cycles[static_cast<std::size_t>(cycle - on_host.begin())];
    extended.end = std::max(extended.end, event.end_ns());
  }
  for (std::size_t i = 0; i + 1 < cycles.size(); ++i) cycles[i].end = std::min(cycles[i].end, cycles[i + 1].begin);
}

}  // namespace

TraceSteps steps_of(const TraceEvents& trace, const LaunchCalls& calls) {
  TraceSteps steps;
  steps.thread = thread_of_steps(trace);
  if (steps.thread) {
    find_ranges(trace, steps);
    extend_cycles(trace, calls, steps.cycles);
    return steps;
  }
  steps.cycles = cover(trace, [](const TraceEvent& event) { return is_on_device(event.category); });
  if (steps.cycles.empty()) steps.cycles = cover(trace, [](const TraceEvent&) { return true; });
  return steps;
}

}  // namespace stepgate
