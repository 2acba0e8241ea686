#include "diagnose/trace/host_account.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "diagnose/trace/trace_names.h"

namespace stepgate {
namespace {

struct HostPart {
  std::string_view part;
  std::string_view label;
  std::optional<Bottleneck> kind;
};

/// If ranges overlap, the time belongs to the earlier row: a wait for data inside a forward range is a wait.
constexpr std::array host_part_rows = {
    HostPart{"data-wait", "waits for data", Bottleneck::input},
    HostPart{"logging", "logging", Bottleneck::logging},
    HostPart{"h2d", "host-to-device copy", Bottleneck::copy},
    HostPart{"optimizer", "optimizer", Bottleneck::optimizer},
    HostPart{"backward", "backward", std::nullopt},
    HostPart{"forward", "forward", std::nullopt},
    HostPart{"operators", "other operators", std::nullopt},
    HostPart{"host", "no operator: Python or other host code", std::nullopt},
};

bool is_host_range(const TraceEvent& event) {
  return event.category == TraceCategory::operator_call || event.category == TraceCategory::annotation;
}

std::string_view part_of(const TraceEvents& trace, const TraceEvent& event) {
  const std::string_view part = host_part_named(trace.name_of(event));
  if (!part.empty()) return part;
  return event.category == TraceCategory::operator_call ? "operators" : "";
}

}  // namespace

std::uint32_t training_thread(const TraceEvents& trace, const TraceSteps& steps) {
  if (steps.thread) return *steps.thread;
  std::map<std::uint32_t, Spans> busy;
  for (const TraceEvent& event : trace.events) {
    if (is_host_range(event)) busy[event.thread].push_back({event.start_ns, event.end_ns()});
  }
  std::uint32_t longest = 0;
  std::int64_t most = -1;
  for (auto& [thread, spans] : busy) {
    const std::int64_t time = total_length(merged(std::move(spans)));
    if (time > most) longest = thread;
    most = std::max(most, time);
  }
  return longest;
}

std::vector<AccountPart> host_parts(const TraceEvents& trace, const TraceSteps& steps) {
  const std::uint32_t thread = training_thread(trace, steps);
  std::map<std::string_view, Spans> ranges;
  for (const TraceEvent& event : trace.events) {
    if (!is_host_range(event) || event.thread != thread) continue;
    const std::string_view part = part_of(trace, event);
    if (!part.empty()) ranges[part].push_back({event.start_ns, event.end_ns()});
  }
  ranges["host"] = {steps.span};
  Spans left = {steps.span};
  std::vector<AccountPart> parts;
  for (const HostPart& row : host_part_rows) {
    const Spans own = common(left, merged(std::move(ranges[row.part])));
    left = without(left, own);
    parts.push_back(
        {std::string(row.part), std::string(row.label), static_cast<double>(total_length(own)), 0, row.kind});
  }
  return parts;
}

}  // namespace stepgate
