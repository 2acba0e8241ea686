#include "diagnose/trace/device_line.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "diagnose/trace/trace_names.h"

namespace stepgate {
namespace {

using CallsByNumber = std::unordered_map<std::int64_t, LaunchCall>;

Span clipped(const TraceEvent& event, const Span& span) {
  return {std::max(event.start_ns, span.begin), std::min(event.end_ns(), span.end)};
}

/// CallsByNumber by the number that they share with the work that they started.
CallsByNumber calls_of(const TraceEvents& trace) {
  CallsByNumber calls;
  for (const TraceEvent& event : trace.events) {
    if (event.category != TraceCategory::runtime_call || event.correlation == 0) continue;
    calls.try_emplace(event.correlation, LaunchCall{{event.start_ns, event.end_ns()}, event.thread});
  }
  return calls;
}

std::optional<LaunchCall> call_of(const TraceEvent& event, const CallsByNumber& calls) {
  const auto found = calls.find(event.correlation);
  return event.correlation == 0 || found == calls.end() ? std::nullopt : std::optional(found->second);
}

std::vector<const TraceEvent*> work_within(const TraceEvents& trace, std::int32_t device, const Span& span) {
  std::vector<const TraceEvent*> work;
  for (const TraceEvent& event : trace.events) {
    const bool here = is_on_device(event.category) && event.device == device;
    if (here && event.end_ns() > span.begin && event.start_ns < span.end) work.push_back(&event);
  }
  std::stable_sort(work.begin(), work.end(),
                   [](const TraceEvent* a, const TraceEvent* b) { return a->start_ns < b->start_ns; });
  return work;
}

void add_kernel(const TraceEvent& event, const CallsByNumber& calls, DeviceTimeLine& line) {
  ++line.kernel_count;
  if (event.duration_ns < short_kernel_ns) ++line.short_kernels;
  if (const auto call = call_of(event, calls)) {
    line.launch_delays_ns.push_back(static_cast<double>(event.start_ns - call->span.end));
  }
}

std::vector<DeviceGap> gaps_of(const std::vector<const TraceEvent*>& work, const CallsByNumber& calls,
                               const Span& span) {
  std::vector<DeviceGap> gaps;
  std::int64_t busy_until = span.begin;
  for (const TraceEvent* event : work) {
    if (event->start_ns > busy_until) gaps.push_back({{busy_until, event->start_ns}, false, call_of(*event, calls)});
    busy_until = std::max(busy_until, event->end_ns());
  }
  if (busy_until < span.end) gaps.push_back({{busy_until, span.end}, true, std::nullopt});
  return gaps;
}

}  // namespace

std::optional<std::int32_t> busiest_device(const TraceEvents& trace, const Span& span) {
  std::map<std::int32_t, std::int64_t> work_ns;
  for (const TraceEvent& event : trace.events) {
    const Span inside = clipped(event, span);
    if (is_on_device(event.category) && inside.length() > 0) work_ns[event.device] += inside.length();
  }
  const auto most = std::max_element(work_ns.begin(), work_ns.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == work_ns.end() ? std::nullopt : std::optional(most->first);
}

DeviceTimeLine device_line(const TraceEvents& trace, std::int32_t device, const Span& span) {
  const CallsByNumber calls = calls_of(trace);
  const std::vector<const TraceEvent*> work = work_within(trace, device, span);
  DeviceTimeLine line;
  for (const TraceEvent* event : work) {
    const bool kernel = event->category == TraceCategory::kernel;
    const bool exchange = kernel && is_exchange(trace.name_of(*event));
    Spans& kind = exchange ? line.exchanges : kernel ? line.kernels : line.copies;
    kind.push_back(clipped(*event, span));
    if (kernel) add_kernel(*event, calls, line);
    if (is_pageable_copy(trace.name_of(*event))) ++line.pageable_copies;
  }
  line.gaps = gaps_of(work, calls, span);
  for (Spans* kind : {&line.kernels, &line.exchanges, &line.copies}) *kind = merged(std::move(*kind));
  return line;
}

}  // namespace stepgate
