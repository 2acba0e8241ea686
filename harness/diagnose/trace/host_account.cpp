#include "diagnose/trace/host_account.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "diagnose/trace/trace_lists.h"
#include "diagnose/trace/trace_names.h"
#include "stats/ranked_time.h"

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
};

constexpr std::size_t other_operators = host_part_rows.size() - 1;
/// Before all rows: time between two cycles, which does not count.
constexpr std::size_t unrecorded_rank = 0;

/// The row of each name; that of other operators for a name that stands for no part.
std::vector<std::size_t> rows_of_names(const TraceEvents& trace) {
  std::vector<std::size_t> rows;
  for (const std::string& name : trace.names) {
    const std::string_view part = host_part_named(name);
    const auto row = std::find_if(host_part_rows.begin(), host_part_rows.end(),
                                  [&](const HostPart& candidate) { return candidate.part == part; });
    rows.push_back(row == host_part_rows.end() ? other_operators
                                               : static_cast<std::size_t>(row - host_part_rows.begin()));
  }
  return rows;
}

/// Ranges and operators of the thread that have a row, by begin.
std::vector<std::uint32_t> ranges_in_order(const TraceEvents& trace, std::uint16_t thread,
                                           const std::vector<std::size_t>& rows) {
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t index = 0; index < trace.events.size(); ++index) {
    const TraceEvent& event = trace.events[index];
    const bool has_row = event.category == TraceCategory::operator_call || rows[event.name] != other_operators;
    if (is_host_range(event.category) && event.place == thread && has_row) ranges.push_back(index);
  }
  sort_by_begin(trace, ranges);
  return ranges;
}

}  // namespace

std::uint16_t training_thread(const TraceEvents& trace, const TraceSteps& steps) {
  if (steps.thread) return *steps.thread;
  std::map<std::uint16_t, std::size_t> ranges;
  for (const TraceEvent& event : trace.events) {
    if (is_host_range(event.category)) ++ranges[event.place];
  }
  std::map<std::uint16_t, Spans> busy;  // reserved: a vector that grows lies in memory twice
  for (const auto& [thread, count] : ranges) busy[thread].reserve(count);
  for (const TraceEvent& event : trace.events) {
    if (is_host_range(event.category)) busy[event.place].push_back({event.start_ns, event.end_ns()});
  }
  std::uint16_t longest = 0;
  std::int64_t most = -1;
  for (auto& [thread, spans] : busy) {
    const std::int64_t time = total_length(merged(std::move(spans)));
    if (time > most) longest = thread;
    most = std::max(most, time);
  }
  return longest;
}

std::vector<AccountPart> host_parts(const TraceEvents& trace, const TraceSteps& steps) {
  const std::vector<std::size_t> rows = rows_of_names(trace);
  const Spans pauses = steps.pauses();
  RankedTime time(steps.whole(), host_part_rows.size() + 1);
  auto pause = pauses.begin();
  for (const std::uint32_t index : ranges_in_order(trace, training_thread(trace, steps), rows)) {
    const TraceEvent& event = trace.events[index];
    for (; pause != pauses.end() && pause->begin <= event.start_ns; ++pause) time.add(*pause, unrecorded_rank);
    time.add({event.start_ns, event.end_ns()}, rows[event.name] + 1);
  }
  for (; pause != pauses.end(); ++pause) time.add(*pause, unrecorded_rank);
  time.finish();
  std::vector<AccountPart> parts;
  for (std::size_t row = 0; row < host_part_rows.size(); ++row) {
    const HostPart& part = host_part_rows[row];
    parts.push_back(
        {std::string(part.part), std::string(part.label), static_cast<double>(time.of(row + 1)), 0, part.kind});
  }
  parts.push_back(
      {"host", "no operator: Python or other host code", static_cast<double>(time.idle()), 0, std::nullopt});
  return parts;
}

}  // namespace stepgate
