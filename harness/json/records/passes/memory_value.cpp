#include "json/records/passes/memory_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "json/text/metric_keys.h"

namespace stepgate {
namespace {

void add_optional(Json& value, const char* key, const std::optional<std::int64_t>& number) {
  if (number) value[key] = *number;
}

std::optional<std::int64_t> optional_at(Reader& reader, const char* key) {
  const auto found = reader.find(key);
  return found ? std::optional(found->count()) : std::nullopt;
}

/// Columns keep the file small: a step has hundreds of events.
Json timeline_value(const MemoryProfile& memory) {
  Json bytes = Json::array();
  Json kind = Json::array();
  Json boundary = Json::array();
  for (const MemoryEvent& event : memory.timeline) {
    bytes.push_back(event.bytes);
    kind.push_back(event.kind);
    boundary.push_back(event.boundary);
  }
  return {{"base_bytes", memory.timeline_base_bytes}, {"bytes", bytes}, {"kind", kind}, {"boundary", boundary}};
}

void read_timeline(Reader reader, MemoryProfile& memory) {
  memory.timeline_base_bytes = reader.at("base_bytes").integer();
  const auto bytes = reader.at("bytes").integers();
  const auto kinds = reader.at("kind").texts();
  const auto boundaries = reader.at("boundary").texts();
  if (kinds.size() != bytes.size() || boundaries.size() != bytes.size()) {
    reader.fail("bytes, kind and boundary must have one entry per event each");
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) memory.timeline.push_back({bytes[i], kinds[i], boundaries[i]});
}

/// Keys of the memory pass that hold no series.
constexpr std::array<std::string_view, 7> other_keys = {"peak_bytes", "peak_by_boundary", "by_boundary", "ledger",
                                                        "timeline",   "absent",           "rises"};

void add_series(const MemoryProfile& memory, Json& value) {
  for (const auto& [name, values] : memory.series) {
    const Metric* metric = find_series(name);
    if (metric == nullptr) {
      throw Error(ErrorKind::measure, fmt::format("the memory pass recorded \"{}\", which no metric uses", name),
                  "add a row to the tables in core/catalogue");
    }
    if (metric->over_steps == OverSteps::once) {
      value[name] = values.front();
    } else {
      value[name] = values;
    }
  }
}

Json value_of(const ResourceRise& rise) {
  Json value = {{"by_boundary", rise.by_boundary}};
  if (!rise.kind.empty()) value["kind"] = rise.kind;
  if (!rise.example.empty()) value["example"] = rise.example;
  return value;
}

ResourceRise rise_at(Reader reader) {
  ResourceRise rise;
  rise.by_boundary = reader.at("by_boundary").map_of(&Reader::integer);
  if (const auto kind = reader.find("kind")) rise.kind = kind->text();
  if (const auto example = reader.find("example")) rise.example = example->text();
  return rise;
}

/// A level that only a growth is computed from may be negative: the host heap is a difference of two readings.
bool is_counted(std::string_view series) {
  const auto metrics = metric_catalogue();
  return std::any_of(metrics.begin(), metrics.end(), [&](const Metric& metric) {
    return metric.series == series && metric.over_steps != OverSteps::growth;
  });
}

void read_series(const Reader& reader, MemoryProfile& memory) {
  for (const auto& [name, value] : reader.map_of([](const Reader& each) { return each; })) {
    if (std::find(other_keys.begin(), other_keys.end(), name) != other_keys.end()) continue;
    const Metric* metric = find_series(name);
    if (metric == nullptr && reader.is_newer()) continue;
    check_series(value, name);
    const auto read = is_counted(name) ? &Reader::count : &Reader::integer;
    memory.series[name] = metric->over_steps == OverSteps::once ? std::vector<std::int64_t>{std::invoke(read, value)}
                                                                : value.list_of(read);
  }
}

}  // namespace

Json value_of(const BoundaryMemory& memory) {
  Json value = {{"peak_allocated_bytes", memory.peak_allocated_bytes}, {"allocated_bytes", memory.allocated_bytes}};
  add_optional(value, "requested_bytes", memory.requested_bytes);
  add_optional(value, "active_bytes", memory.active_bytes);
  add_optional(value, "reserved_bytes", memory.reserved_bytes);
  return value;
}

BoundaryMemory boundary_memory_at(Reader reader) {
  BoundaryMemory memory;
  memory.peak_allocated_bytes = reader.at("peak_allocated_bytes").count();
  memory.allocated_bytes = reader.at("allocated_bytes").count();
  memory.requested_bytes = optional_at(reader, "requested_bytes");
  memory.active_bytes = optional_at(reader, "active_bytes");
  memory.reserved_bytes = optional_at(reader, "reserved_bytes");
  return memory;
}

Json value_of(const MemoryLedger& ledger) {
  Json value = {
      {"peak_bytes", ledger.peak_bytes}, {"step", ledger.step}, {"boundary", ledger.boundary}, {"bytes", ledger.bytes}};
  add_optional(value, "fragmentation_bytes", ledger.fragmentation_bytes);
  return value;
}

MemoryLedger ledger_at(Reader reader) {
  MemoryLedger ledger;
  ledger.peak_bytes = reader.at("peak_bytes").count();
  ledger.step = reader.at("step").count();
  ledger.boundary = reader.at("boundary").text();
  ledger.bytes = totals_at(reader.at("bytes"));
  ledger.fragmentation_bytes = optional_at(reader, "fragmentation_bytes");
  return ledger;
}

Json value_of(const MemoryProfile& memory) {
  Json value = {{"peak_bytes", memory.peak_bytes}, {"peak_by_boundary", memory.peak_by_boundary}};
  add_series(memory, value);
  if (!memory.by_boundary.empty()) {
    Json& boundaries = value["by_boundary"] = Json::object();
    for (const auto& [name, entry] : memory.by_boundary) boundaries[name] = value_of(entry);
  }
  if (memory.ledger) value["ledger"] = value_of(*memory.ledger);
  if (!memory.timeline.empty()) value["timeline"] = timeline_value(memory);
  if (!memory.absent.empty()) value["absent"] = memory.absent;
  for (const auto& [series, rise] : memory.rises) value["rises"][series] = value_of(rise);
  return value;
}

MemoryProfile memory_at(Reader reader) {
  MemoryProfile memory;
  for (const char* always_there : {"resident_bytes", "peak_allocated_bytes"}) reader.at(always_there);
  read_series(reader, memory);
  memory.peak_bytes = reader.at("peak_bytes").counts();
  memory.peak_by_boundary = totals_at(reader.at("peak_by_boundary"));
  if (auto boundaries = reader.find("by_boundary")) memory.by_boundary = boundaries->map_of(boundary_memory_at);
  if (auto ledger = reader.find("ledger")) memory.ledger = ledger_at(*ledger);
  if (auto timeline = reader.find("timeline")) read_timeline(*timeline, memory);
  if (auto absent = reader.find("absent")) memory.absent = absent->text_map();
  if (auto rises = reader.find("rises")) memory.rises = rises->map_of(rise_at);
  return memory;
}

}  // namespace stepgate
