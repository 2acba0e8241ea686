#include "diagnose/trace/account_of_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/text/number_format.h"
#include "diagnose/trace/device_line.h"
#include "diagnose/trace/host_account.h"
#include "diagnose/trace/idle_causes.h"
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

/// Time in which several kinds of work ran counts for the first: only what is exposed costs time.
std::vector<AccountPart> device_parts(const DeviceTimeLine& line, const IdleTimes& idle) {
  const Spans exchanges = without(line.exchanges, line.kernels);
  const Spans copies = without(without(line.copies, line.kernels), line.exchanges);
  return {part("compute", "kernels", total_length(line.kernels), Bottleneck::compute),
          part("exposed-communication", "exposed communication", total_length(exchanges), Bottleneck::communication),
          part("exposed-copies", "exposed copies", total_length(copies), Bottleneck::copy),
          part("idle-data", "idle: host waits for data", idle.data_ns, Bottleneck::input),
          part("idle-sync", "idle: host had waited for it", idle.sync_ns, Bottleneck::sync),
          part("idle-launch", "idle: nothing launched yet", idle.launch_ns, Bottleneck::launch),
          part("idle-logging", "idle: host logs", idle.logging_ns, Bottleneck::logging),
          part("idle-kernel-gap", "idle: between queued kernels", idle.kernel_gap_ns, std::nullopt),
          part("idle-event", "idle: waits for an event or a peer", idle.event_ns, std::nullopt),
          part("idle-unknown", "idle: launch not in the trace", idle.unknown_ns, std::nullopt)};
}

void add_device(const TraceEvents& trace, const TraceSteps& steps, std::int32_t device, TraceAccount& account) {
  const DeviceTimeLine line = device_line(trace, device, steps.span);
  account.on_device = true;
  account.parts = device_parts(line, idle_causes(trace, steps, line.gaps));
  account.costliest = device_costs(trace, device, steps.span);
  const auto model = trace.devices.find(device);
  account.of = fmt::format("device {}{}", device, model == trace.devices.end() ? "" : ", " + model->second);
  std::int64_t idle_ns = 0;
  for (const DeviceGap& gap : line.gaps) idle_ns += gap.span.length();
  account.busy_share = 1 - static_cast<double>(idle_ns) / static_cast<double>(steps.span.length());
  if (!line.launch_delays_ns.empty()) account.launch_delay_ns = median(line.launch_delays_ns);
  if (line.kernel_count > 0) {
    account.short_kernels = static_cast<double>(line.short_kernels) / static_cast<double>(line.kernel_count);
  }
  account.pageable_copies = static_cast<double>(line.pageable_copies) / steps.count();
  account.host_syncs = static_cast<double>(waiting_calls_in(trace, steps.span)) / steps.count();
}

void add_host(const TraceEvents& trace, const TraceSteps& steps, TraceAccount& account) {
  account.parts = host_parts(trace, steps);
  account.costliest = operator_costs(trace, steps);
  account.of = "thread " + trace.threads[training_thread(trace, steps)];
  account.notes.push_back("no device did anything in this trace: the account is that of the thread that trains");
}

/// From times of the span to times of one step, and shares of the span.
void scale(const TraceSteps& steps, TraceAccount& account) {
  const auto span = static_cast<double>(steps.span.length());
  for (AccountPart& entry : account.parts) {
    entry.share = entry.ns / span;
    entry.ns /= steps.count();
  }
  for (TraceCost& cost : account.costliest) {
    cost.share = cost.ns / span;
    cost.ns /= steps.count();
  }
}

void add_notes(const TraceEvents& trace, const TraceSteps& steps, TraceAccount& account) {
  if (steps.ranges.empty()) {
    account.notes.push_back(
        "no range is named ProfilerStep#N, so the whole trace counts as one step, with its set-up and first steps, and "
        "nothing is called likely: call prof.step() after each step");
  }
  std::set<std::int32_t> devices;
  for (const TraceEvent& event : trace.events) {
    if (is_on_device(event.category)) devices.insert(event.device);
  }
  if (devices.size() > 1) {
    account.notes.push_back(fmt::format("{} devices worked; the account is that of the busiest", devices.size()));
  }
  if (!steps.ranges.empty() && steps.span.end > steps.ranges.back().end) {
    account.notes.push_back(
        fmt::format("the device was done {} ms after the last step's range ended: the host ran ahead",
                    figure_text(static_cast<double>(steps.span.end - steps.ranges.back().end) / 1e6)));
  }
  if (trace.damaged_events > 0) {
    account.notes.push_back(fmt::format("{} events without a time were left out", trace.damaged_events));
  }
  account.notes.push_back("times include what the profiler itself costs the host");
}

}  // namespace

TraceAccount account_of_trace(const TraceEvents& trace) {
  const TraceSteps steps = steps_of(trace);
  if (steps.span.length() <= 0) {
    throw Error(ErrorKind::usage, trace.source + ": its events have no extent in time",
                "record the trace again around some steps");
  }
  TraceAccount account{.source = trace.source,
                       .text_bytes = trace.text_bytes,
                       .events = static_cast<std::int64_t>(trace.events.size()),
                       .rank = trace.rank,
                       .ranks = trace.ranks,
                       .steps = static_cast<std::int64_t>(steps.ranges.size()),
                       .step = statistics_of(steps),
                       .span_ns = static_cast<double>(steps.span.length())};
  if (const auto device = busiest_device(trace, steps.span)) {
    add_device(trace, steps, *device, account);
  } else {
    add_host(trace, steps, account);
  }
  scale(steps, account);
  if (!steps.ranges.empty()) account.bottlenecks = screened_parts(account);
  add_notes(trace, steps, account);
  return account;
}

}  // namespace stepgate
