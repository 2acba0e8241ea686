#include "diagnose/trace/idle_causes.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "diagnose/trace/trace_names.h"

namespace stepgate {
namespace {

/// What the host did, as far as it matters for a gap.
struct HostLine {
  Spans data_waits;
  Spans loggings;                                  ///< outside data_waits
  std::map<std::uint32_t, Spans> waits_by_thread;  ///< calls that wait for the device, by thread
};

/// The copies whose call waits although its name does not say so.
std::unordered_set<std::int64_t> copies_to_pageable(const TraceEvents& trace) {
  std::unordered_set<std::int64_t> correlations;
  for (const TraceEvent& event : trace.events) {
    const bool waits = event.category == TraceCategory::copy && is_copy_to_pageable(trace.name_of(event));
    if (waits && event.correlation != 0) correlations.insert(event.correlation);
  }
  return correlations;
}

template <typename Visit>
void for_each_wait(const TraceEvents& trace, const Visit& visit) {
  const auto copies = copies_to_pageable(trace);
  for (const TraceEvent& event : trace.events) {
    if (event.category != TraceCategory::runtime_call) continue;
    if (is_waiting_call(trace.name_of(event)) || copies.contains(event.correlation)) visit(event);
  }
}

HostLine host_line(const TraceEvents& trace, const TraceSteps& steps) {
  HostLine line;
  for (const TraceEvent& event : trace.events) {
    const bool range = event.category == TraceCategory::annotation || event.category == TraceCategory::operator_call;
    if (!range || (steps.thread && event.thread != *steps.thread)) continue;
    const std::string_view part = host_part_named(trace.name_of(event));
    if (part == "data-wait") line.data_waits.push_back({event.start_ns, event.end_ns()});
    if (part == "logging") line.loggings.push_back({event.start_ns, event.end_ns()});
  }
  line.data_waits = merged(std::move(line.data_waits));
  line.loggings = without(merged(std::move(line.loggings)), line.data_waits);
  for_each_wait(trace, [&](const TraceEvent& event) {
    line.waits_by_thread[event.thread].push_back({event.start_ns, event.end_ns()});
  });
  for (auto& [thread, waits] : line.waits_by_thread) waits = merged(std::move(waits));
  return line;
}

/// The clocks of host and device agree to a few microseconds.
constexpr std::int64_t clock_tolerance_ns = 10'000;

/// A call on `thread` that began while the device worked, returned when it had nothing left, and before the next
/// launch.
bool waited_for(const HostLine& host, std::uint32_t thread, const Span& until_launch) {
  const auto found = host.waits_by_thread.find(thread);
  if (found == host.waits_by_thread.end()) return false;
  const Spans& waits = found->second;
  auto after = std::lower_bound(waits.begin(), waits.end(), until_launch.begin,
                                [](const Span& wait, std::int64_t time) { return wait.begin < time; });
  if (after == waits.begin()) return false;
  const Span& last = *--after;
  return last.end >= until_launch.begin - clock_tolerance_ns && last.end <= until_launch.end;
}

/// The host had not launched the next work when the device fell idle.
void add_host_gap(const DeviceGap& gap, const TraceSteps& steps, const HostLine& host, IdleTimes& times) {
  const std::int64_t launch = gap.launch ? std::min(gap.launch->span.begin, gap.span.end) : gap.span.end;
  const Spans before_launch = merged({{gap.span.begin, launch}});
  const std::int64_t data = total_length(common(host.data_waits, before_launch));
  const std::int64_t logging = total_length(common(host.loggings, before_launch));
  times.data_ns += data;
  times.logging_ns += logging;
  const std::int64_t rest = gap.span.length() - data - logging;
  const Span until_launch{gap.span.begin, launch};
  const bool waited = (gap.launch && waited_for(host, gap.launch->thread, until_launch)) ||
                      (steps.thread && waited_for(host, *steps.thread, until_launch));
  (waited ? times.sync_ns : times.launch_ns) += rest;
}

void add_gap(const DeviceGap& gap, const TraceSteps& steps, const HostLine& host, IdleTimes& times) {
  if (gap.at_end) return add_host_gap(gap, steps, host, times);
  if (!gap.launch) {
    times.unknown_ns += gap.span.length();
  } else if (gap.launch->span.begin > gap.span.begin) {
    add_host_gap(gap, steps, host, times);
  } else {
    (gap.span.length() < short_kernel_ns ? times.kernel_gap_ns : times.event_ns) += gap.span.length();
  }
}

}  // namespace

IdleTimes idle_causes(const TraceEvents& trace, const TraceSteps& steps, const std::vector<DeviceGap>& gaps) {
  const HostLine host = host_line(trace, steps);
  IdleTimes times;
  for (const DeviceGap& gap : gaps) add_gap(gap, steps, host, times);
  return times;
}

std::int64_t waiting_calls_in(const TraceEvents& trace, const Span& span) {
  std::int64_t calls = 0;
  for_each_wait(trace, [&](const TraceEvent& event) {
    if (event.start_ns >= span.begin && event.start_ns < span.end) ++calls;
  });
  return calls;
}

}  // namespace stepgate
