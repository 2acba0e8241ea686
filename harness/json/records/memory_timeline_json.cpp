#include "json/records/memory_timeline_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/record/memory_kind.h"
#include "json/text/document.h"

namespace stepgate {
namespace {

constexpr int process = 1;
constexpr int boundary_track = 1;

using KindBytes = std::map<std::string, std::int64_t>;

/// The moment with the most live memory: the number of events before it, and the bytes.
struct TimelinePeak {
  std::size_t events = 0;
  std::int64_t bytes = 0;
};

TimelinePeak peak_of(const MemoryProfile& memory) {
  TimelinePeak peak{0, memory.timeline_base_bytes};
  std::int64_t live = memory.timeline_base_bytes;
  for (std::size_t i = 0; i < memory.timeline.size(); ++i) {
    live += memory.timeline[i].bytes;
    if (live > peak.bytes) peak = {i + 1, live};
  }
  return peak;
}

/// What was live at the step's begin, computed backwards from the ledger of the peak. Empty without a ledger of this
/// step.
KindBytes known_at_begin(const MemoryProfile& memory) {
  if (!memory.ledger) return {};
  KindBytes live = memory.ledger->bytes;
  live.erase(std::string(name_of(MemoryKind::rounding)));
  const std::size_t until_peak = peak_of(memory).events;
  for (std::size_t i = 0; i < until_peak; ++i) live[memory.timeline[i].kind] -= memory.timeline[i].bytes;
  const bool fits = std::all_of(live.begin(), live.end(), [](const auto& entry) { return entry.second >= 0; });
  return fits ? live : KindBytes{};
}

KindBytes live_at_begin(const MemoryProfile& memory) {
  KindBytes live = known_at_begin(memory);
  std::int64_t unknown = memory.timeline_base_bytes;
  for (const auto& [kind, bytes] : live) unknown -= bytes;
  if (unknown != 0) live["other"] += unknown;
  // Every series begins here, because a viewer extends a series that begins later back to the start.
  for (const MemoryEvent& event : memory.timeline) live.try_emplace(event.kind, 0);
  return live;
}

Json named(const char* what, int thread, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

void add_counters(const KindBytes& live, std::size_t at, std::vector<Json>& events) {
  std::int64_t sum = 0;
  for (const auto& [kind, bytes] : live) sum += bytes;
  events.push_back({{"name", "live memory"}, {"ph", "C"}, {"pid", process}, {"ts", at}, {"args", live}});
  events.push_back({{"name", "live bytes"}, {"ph", "C"}, {"pid", process}, {"ts", at}, {"args", {{"bytes", sum}}}});
}

void add_boundaries(const std::vector<MemoryEvent>& timeline, std::vector<Json>& events) {
  for (std::size_t begin = 0, end = 0; begin < timeline.size(); begin = end) {
    while (end < timeline.size() && timeline[end].boundary == timeline[begin].boundary) ++end;
    events.push_back({{"name", timeline[begin].boundary},
                      {"cat", "boundary"},
                      {"ph", "X"},
                      {"pid", process},
                      {"tid", boundary_track},
                      {"ts", begin},
                      {"dur", end - begin}});
  }
}

std::vector<Json> trace_events(const std::string& case_name, const MemoryProfile& memory) {
  std::vector<Json> events = {named("process_name", 0, case_name), named("thread_name", boundary_track, "boundaries")};
  add_boundaries(memory.timeline, events);
  KindBytes live = live_at_begin(memory);
  add_counters(live, 0, events);
  for (std::size_t i = 0; i < memory.timeline.size(); ++i) {
    live[memory.timeline[i].kind] += memory.timeline[i].bytes;
    add_counters(live, i + 1, events);
  }
  const TimelinePeak peak = peak_of(memory);
  events.push_back({{"name", "peak"},
                    {"ph", "i"},
                    {"pid", process},
                    {"tid", boundary_track},
                    {"ts", peak.events},
                    {"s", "p"},
                    {"args", {{"bytes", peak.bytes}}}});
  return events;
}

}  // namespace

std::string trace_viewer_text(const std::string& case_name, const MemoryProfile& memory) {
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  std::string separator = "\n";
  for (const Json& event : trace_events(case_name, memory)) {
    text += std::exchange(separator, ",\n") + event.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n]}\n";
}

}  // namespace stepgate
