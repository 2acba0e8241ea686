#include "diagnose/trace/host_pauses.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/trace/trace_lists.h"
#include "diagnose/trace/trace_names.h"

namespace stepgate {
namespace {

constexpr std::int64_t least_pause_ns = 1'000'000;

bool is_operator(const TraceEvent& event) { return event.category == TraceCategory::operator_call; }

/// By index of the thread.
std::vector<bool> threads_that_launch(const TraceEvents& trace, const TraceSteps& steps) {
  std::vector<bool> launch(trace.threads.size());
  if (steps.thread) launch[*steps.thread] = true;
  for (const TraceEvent& event : trace.events) {
    if (event.category == TraceCategory::runtime_call && event.correlation != 0) launch[event.place] = true;
  }
  return launch;
}

/// From the begin of each step to the first work in it.
void add_heads(const Spans& steps, const Spans& busy, Spans& pauses) {
  for (const Span& step : steps) {
    const auto work = first_after(busy, step.begin);
    const std::int64_t first = work == busy.end() ? step.end : std::min(work->begin, step.end);
    if (first > step.begin) pauses.push_back({step.begin, first});
  }
}

/// The times between the spans, in their place: there may be millions of them.
void turn_into_gaps(Spans& spans) {
  for (std::size_t i = 0; i + 1 < spans.size(); ++i) spans[i] = {spans[i].end, spans[i + 1].begin};
  if (!spans.empty()) spans.pop_back();
}

}  // namespace

Spans host_pauses(const TraceEvents& trace, const TraceSteps& steps) {
  const std::vector<bool> launch = threads_that_launch(trace, steps);
  // A wait for data is a pause whether the profiler wrote it as an operator or as a range.
  const std::vector<bool> waits =
      names_that(trace, [](const std::string& name) { return host_part_named(name) == "data-wait"; });
  const auto works = [&](const TraceEvent& event) {
    const bool operates = is_operator(event) && !waits[event.name];
    return (operates || event.category == TraceCategory::runtime_call) && launch[event.place];
  };
  if (std::none_of(trace.events.begin(), trace.events.end(),
                   [&](const TraceEvent& event) { return is_operator(event) && launch[event.place]; })) {
    return {};
  }
  Spans busy = steps.pauses();
  const auto worked = std::count_if(trace.events.begin(), trace.events.end(), works);
  busy.reserve(busy.size() + static_cast<std::size_t>(worked));
  for (const TraceEvent& event : trace.events) {
    if (works(event)) busy.push_back({event.start_ns, event.end_ns()});
  }
  busy = merged(std::move(busy));
  Spans heads;
  add_heads(steps.ranges, busy, heads);
  turn_into_gaps(busy);
  std::erase_if(busy, [](const Span& gap) { return gap.length() < least_pause_ns; });
  busy.insert(busy.end(), heads.begin(), heads.end());
  return merged(std::move(busy));
}

}  // namespace stepgate
