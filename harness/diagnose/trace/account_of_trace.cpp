#include "diagnose/trace/account_of_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/text/number_format.h"
#include "diagnose/trace/device_line.h"
#include "diagnose/trace/host_account.h"
#include "diagnose/trace/idle_causes.h"
#include "diagnose/trace/impossible_events.h"
#include "diagnose/trace/launch_calls.h"
#include "diagnose/trace/trace_costs.h"
#include "diagnose/trace/trace_screens.h"
#include "diagnose/trace/trace_steps.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

StepStatistics statistics_of(const TraceSteps& steps) {
  std::vector<double> lengths;
  for (const Span& range : steps.ranges) lengths.push_back(static_cast<double>(range.length()));
  if (lengths.empty()) return {};
  return {.steps = static_cast<std::int64_t>(lengths.size()),
          .median_ns = median(lengths),
          .mean_ns = mean(lengths),
          .sd_ns = lengths.size() > 1 ? std::sqrt(sample_variance(lengths)) : 0,
          .p95_ns = quantile(lengths, 0.95),
          .p99_ns = quantile(lengths, 0.99),
          .min_ns = *std::min_element(lengths.begin(), lengths.end()),
          .max_ns = *std::max_element(lengths.begin(), lengths.end())};
}

AccountPart part(std::string name, std::string label, std::int64_t ns, std::optional<Bottleneck> kind) {
  return {std::move(name), std::move(label), static_cast<double>(ns), 0, kind};
}

std::vector<AccountPart> device_parts(const DeviceTimeLine& line, const IdleTimes& idle) {
  return {part("compute", "kernels", line.kernels_ns, Bottleneck::compute),
          part("exposed-communication", "exposed communication", line.exchanges_ns, Bottleneck::communication),
          part("exposed-copies", "exposed copies", line.copies_ns, Bottleneck::copy),
          part("idle-data", "idle: host waits for data", idle.data_ns, Bottleneck::input),
          part("idle-sync", "idle: host had waited for it", idle.sync_ns, Bottleneck::sync),
          part("idle-launch", "idle: nothing launched yet", idle.launch_ns, Bottleneck::launch),
          part("idle-logging", "idle: host logs", idle.logging_ns, Bottleneck::logging),
          part("idle-host", "idle: host runs no operator", idle.host_ns, std::nullopt),
          part("idle-kernel-gap", "idle: between queued kernels", idle.kernel_gap_ns, std::nullopt),
          part("idle-event", "idle: waits for an event or a peer", idle.event_ns, std::nullopt),
          part("idle-unknown", "idle: launch not in the trace", idle.unknown_ns, std::nullopt)};
}

void add_device(const TraceView& view, std::uint16_t device, TraceAccount& account) {
  const TraceSteps& steps = view.steps;
  IdleCauses idle(view.trace, steps);
  const DeviceTimeLine line = device_line(view, device, [&](const DeviceGap& gap) { idle.add(gap); });
  account.on_device = true;
  account.parts = device_parts(line, idle.times());
  account.costliest = device_costs(view.trace, device, steps);
  const std::int64_t id = view.trace.device_ids[device];
  const auto model = view.trace.devices.find(id);
  account.of = fmt::format("device {}{}", id, model == view.trace.devices.end() ? "" : ", " + model->second);
  account.busy_share = 1 - static_cast<double>(line.idle_ns) / static_cast<double>(steps.length());
  if (!line.launch_delays_ns.empty()) account.launch_delay_ns = median(line.launch_delays_ns);
  if (line.kernel_count > 0) {
    account.short_kernels = static_cast<double>(line.short_kernels) / static_cast<double>(line.kernel_count);
  }
  account.pageable_copies = static_cast<double>(line.pageable_copies) / steps.count();
  account.host_syncs = static_cast<double>(idle.waiting_calls()) / steps.count();
}

void add_host(const TraceEvents& trace, const TraceSteps& steps, TraceAccount& account) {
  account.parts = host_parts(trace, steps);
  account.costliest = operator_costs(trace, steps);
  const std::uint16_t thread = training_thread(trace, steps);
  account.of = thread < trace.threads.size() ? "thread " + trace.threads[thread] : "no thread";
  account.notes.push_back("no device did anything in this trace: the account is that of the thread that trains");
}

/// From times of all cycles to times of one step, and shares of the cycles.
void scale(const TraceSteps& steps, TraceAccount& account) {
  const auto span = static_cast<double>(steps.length());
  for (AccountPart& entry : account.parts) {
    entry.share = entry.ns / span;
    entry.ns /= steps.count();
  }
  for (TraceCost& cost : account.costliest) {
    cost.share = cost.ns / span;
    cost.ns /= steps.count();
  }
}

/// Costliest first.
std::vector<UnusedEvents> unused_events(const std::map<std::string, EventTally>& tallies) {
  std::vector<UnusedEvents> events;
  for (const auto& [what, tally] : tallies) events.push_back({what, tally.events, tally.ns});
  std::stable_sort(events.begin(), events.end(),
                   [](const UnusedEvents& a, const UnusedEvents& b) { return a.ns > b.ns; });
  return events;
}

/// "2 155 events, 1.20 s"
std::string amount_of(const UnusedEvents& events) {
  return counted(events.events, "event") + (events.ns > 0 ? ", " + duration_text(events.ns) : "");
}

/// "python_function (2 155 events, 1.20 s), Trace (1 event, 900 ms)"
std::string list_of(const std::vector<UnusedEvents>& events) {
  constexpr std::size_t most_listed = 6;
  std::string list;
  for (std::size_t i = 0; i < std::min(events.size(), most_listed); ++i)
    list += fmt::format("{}{} ({})", i == 0 ? "" : ", ", events[i].what, amount_of(events[i]));
  return events.size() > most_listed ? list + ", ..." : list;
}

void add_step_notes(const TraceSteps& steps, TraceAccount& account) {
  if (steps.ranges.empty()) {
    account.notes.push_back(
        "no range is named ProfilerStep#N, so the whole trace counts as one step, with its set-up and first steps, and "
        "nothing is called likely: call prof.step() after each step");
    return;
  }
  if (steps.repeated > 0) {
    account.notes.push_back(
        fmt::format("{} that lie on another step count once", counted(steps.repeated, "step range")));
  }
  if (steps.cycles.size() > 1) {
    account.notes.push_back(fmt::format("{} recorded cycles: the account leaves out what the program did between them",
                                        steps.cycles.size()));
  }
  const std::int64_t late_ns = steps.whole().end - steps.ranges.back().end;
  if (late_ns > 0) {
    account.notes.push_back(
        fmt::format("the device was done {} ms after the last step's range ended: the host ran ahead",
                    figure_text(static_cast<double>(late_ns) / 1e6)));
  }
}

void add_notes(const TraceEvents& trace, const TraceSteps& steps, TraceAccount& account) {
  add_step_notes(steps, account);
  std::set<std::uint16_t> devices;
  for (const TraceEvent& event : trace.events) {
    if (is_on_device(event.category)) devices.insert(event.place);
  }
  if (devices.size() > 1) {
    account.notes.push_back(fmt::format("{} devices worked; the account is that of the busiest", devices.size()));
  }
  for (const UnusedEvents& events : account.left_out) {
    account.notes.push_back(fmt::format("left out: {} {}{}", counted(events.events, "event"), events.what,
                                        events.ns > 0 ? " (" + duration_text(events.ns) + ")" : ""));
  }
  if (!account.not_known.empty())
    account.notes.push_back("not read, because stepgate does not know them: " + list_of(account.not_known));
  if (!account.not_needed.empty())
    account.notes.push_back("not read, because other events show their time: " + list_of(account.not_needed));
  account.notes.push_back("times include what the profiler itself costs the host");
}

}  // namespace

TraceAccount account_of_trace(TraceEvents trace) {
  const auto events = static_cast<std::int64_t>(trace.events.size());
  leave_out_impossible(trace);
  const LaunchCalls calls(trace);
  const TraceSteps steps = steps_of(trace, calls);
  if (steps.length() <= 0) {
    const std::string left_out = list_of(unused_events(trace.left_out));
    throw Error(ErrorKind::usage,
                fmt::format("{}: its events have no extent in time{}{}", trace.source,
                            left_out.empty() ? "" : "; left out: ", left_out),
                "record the trace again around some steps");
  }
  TraceAccount account{.source = trace.source,
                       .text_bytes = trace.text_bytes,
                       .events = events,
                       .rank = trace.rank,
                       .ranks = trace.ranks,
                       .steps = static_cast<std::int64_t>(steps.ranges.size()),
                       .step = statistics_of(steps),
                       .span_ns = static_cast<double>(steps.length())};
  account.not_needed = unused_events(trace.not_needed);
  account.not_known = unused_events(trace.not_known);
  account.left_out = unused_events(trace.left_out);
  if (const auto device = busiest_device(trace, steps)) {
    add_device({trace, steps, calls}, *device, account);
  } else {
    add_host(trace, steps, account);
  }
  scale(steps, account);
  if (!steps.ranges.empty()) {
    account.bottlenecks = screened_parts(account);
    account.largest = largest_part(account);
  }
  add_notes(trace, steps, account);
  return account;
}

}  // namespace stepgate
