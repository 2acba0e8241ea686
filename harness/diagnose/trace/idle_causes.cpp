#include "diagnose/trace/idle_causes.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "diagnose/trace/host_pauses.h"
#include "diagnose/trace/trace_lists.h"
#include "diagnose/trace/trace_names.h"

namespace stepgate {
namespace {

/// The clocks of host and device agree to a few microseconds.
constexpr std::int64_t clock_tolerance_ns = 10'000;

/// In order, of the copies whose call waits although its name does not say so.
std::vector<std::int64_t> copies_to_pageable(const TraceEvents& trace) {
  std::vector<std::int64_t> correlations;
  for (const TraceEvent& event : trace.events) {
    const bool waits = event.category == TraceCategory::copy && is_copy_to_pageable(trace.name_of(event));
    if (waits && event.correlation != 0) correlations.push_back(event.correlation);
  }
  std::sort(correlations.begin(), correlations.end());
  return correlations;
}

Spans ranges_of_part(const TraceEvents& trace, const TraceSteps& steps, std::string_view part) {
  const std::vector<bool> names =
      names_that(trace, [&](const std::string& name) { return host_part_named(name) == part; });
  const auto counts = [&](const TraceEvent& event) {
    return is_host_range(event.category) && names[event.name] && (!steps.thread || event.place == *steps.thread);
  };
  Spans spans;  // reserved, since there may be millions, and a vector that grows lies in memory twice
  spans.reserve(static_cast<std::size_t>(std::count_if(trace.events.begin(), trace.events.end(), counts)));
  for (const TraceEvent& event : trace.events) {
    if (counts(event)) spans.push_back({event.start_ns, event.end_ns()});
  }
  return merged(std::move(spans));
}

}  // namespace

IdleCauses::IdleCauses(const TraceEvents& trace, const TraceSteps& steps)
    : trace_(trace),
      steps_(steps),
      data_waits_(ranges_of_part(trace, steps, "data-wait")),
      loggings_(ranges_of_part(trace, steps, "logging")),
      pauses_(host_pauses(trace, steps)) {
  find_waits();
}

void IdleCauses::find_waits() {
  const std::vector<std::int64_t> copies = copies_to_pageable(trace_);
  const std::vector<bool> names = names_that(trace_, is_waiting_call);
  for (std::uint32_t index = 0; index < trace_.events.size(); ++index) {
    const TraceEvent& event = trace_.events[index];
    if (event.category != TraceCategory::runtime_call) continue;
    if (!names[event.name] && !std::binary_search(copies.begin(), copies.end(), event.correlation)) continue;
    waits_[event.place].push_back(index);
    if (contains(steps_.cycles, event.start_ns)) ++waiting_calls_;
  }
  for (auto& [thread, waits] : waits_) sort_by_begin(trace_, waits);
}

/// A call on `thread` that began while the device worked, returned when it had nothing left, and before the next
/// launch.
bool IdleCauses::waited_for(std::uint16_t thread, const Span& until_launch) const {
  const auto waits = waits_.find(thread);
  if (waits == waits_.end()) return false;
  const auto after =
      std::lower_bound(waits->second.begin(), waits->second.end(), until_launch.begin,
                       [&](std::uint32_t index, std::int64_t time) { return trace_.events[index].start_ns < time; });
  if (after == waits->second.begin()) return false;
  const std::int64_t returned = trace_.events[*std::prev(after)].end_ns();
  return returned >= until_launch.begin - clock_tolerance_ns && returned <= until_launch.end;
}

/// A wait for data has the time before logging.
std::int64_t IdleCauses::logging_within(const Span& window) const {
  std::int64_t length = 0;
  for (auto logging = first_after(loggings_, window.begin); logging != loggings_.end() && logging->begin < window.end;
       ++logging) {
    const Span inside{std::max(logging->begin, window.begin), std::min(logging->end, window.end)};
    length += inside.length() - length_within(data_waits_, inside);
  }
  return length;
}

/// Of the pauses of the host within `window`, what is neither a wait for data nor logging.
std::int64_t IdleCauses::pause_within(const Span& window) const {
  std::int64_t length = 0;
  for (auto pause = first_after(pauses_, window.begin); pause != pauses_.end() && pause->begin < window.end; ++pause) {
    const Span inside{std::max(pause->begin, window.begin), std::min(pause->end, window.end)};
    length += inside.length() - length_within(data_waits_, inside) - logging_within(inside);
  }
  return length;
}

/// The host had not launched the next work when the device fell idle.
void IdleCauses::add_host_gap(const DeviceGap& gap) {
  const std::int64_t launch = gap.launch != nullptr ? std::min(gap.launch->start_ns, gap.span.end) : gap.span.end;
  const Span until_launch{gap.span.begin, launch};
  const std::int64_t data = length_within(data_waits_, until_launch);
  const std::int64_t logging = logging_within(until_launch);
  const std::int64_t host = pause_within(until_launch);
  times_.data_ns += data;
  times_.logging_ns += logging;
  times_.host_ns += host;
  const bool waited = (gap.launch != nullptr && waited_for(gap.launch->place, until_launch)) ||
                      (steps_.thread && waited_for(*steps_.thread, until_launch));
  (waited ? times_.sync_ns : times_.launch_ns) += gap.span.length() - data - logging - host;
}

void IdleCauses::add(const DeviceGap& gap) {
  if (gap.at_end || (gap.launch != nullptr && gap.launch->start_ns > gap.span.begin)) return add_host_gap(gap);
  if (gap.launch == nullptr) {
    times_.unknown_ns += gap.span.length();
  } else {
    (gap.span.length() < short_kernel_ns ? times_.kernel_gap_ns : times_.event_ns) += gap.span.length();
  }
}

}  // namespace stepgate
