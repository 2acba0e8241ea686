#include "environment/gpu/xid_listener.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace stepgate::nvml {
namespace {

/// A driver that repeats one event for ever must not hold the launcher.
constexpr int most_events = 100;

}  // namespace

XidListener::~XidListener() {
  for (const auto& [uuid, heard] : heard_of_)
    static_cast<void>(session_.call(session_.table().free_events, heard.events));
}

GpuAnswer<std::vector<std::int64_t>> XidListener::after(const std::string& uuid, std::size_t known) {
  const std::lock_guard lock(mutex_);
  const auto at = heard_of_.find(uuid);
  if (at == heard_of_.end()) {
    const GpuOutcome began = listen(uuid);
    if (began.code != 0) return refused<std::vector<std::int64_t>>(began);
    return {std::vector<std::int64_t>{}, 0, ""};
  }
  const GpuOutcome outcome = hear(at->second);
  const std::vector<std::int64_t>& xids = at->second.xids;
  if (outcome.code != 0 && xids.size() <= known) return refused<std::vector<std::int64_t>>(outcome);
  const auto begin = xids.begin() + static_cast<std::ptrdiff_t>(std::min(known, xids.size()));
  return {std::vector<std::int64_t>(begin, xids.end()), 0, ""};
}

GpuOutcome XidListener::listen(const std::string& uuid) {
  const Table& table = session_.table();
  if (table.next_event.call == nullptr || table.free_events.call == nullptr)
    return {ENOTSUP, fmt::format("the library has no {}", table.next_event.name)};
  EventSet* events = nullptr;
  GpuOutcome outcome = session_.call(table.make_events, &events);
  if (outcome.code != 0) return outcome;
  outcome = session_.on_gpu(uuid, table.register_events, event_xid, events);
  if (outcome.code != 0) {
    static_cast<void>(session_.call(table.free_events, events));
    return outcome;
  }
  heard_of_[uuid] = {.events = events};
  return {};
}

/// A GPU that is gone tells no more.
GpuOutcome XidListener::hear(Heard& heard) const {
  const auto& next_event = session_.table().next_event;
  for (int count = 0; count < most_events; ++count) {
    EventData event{};
    const int result = next_event.call(heard.events, &event, /*timeout_ms=*/0);
    if (result == timeout) break;
    GpuOutcome outcome = session_.outcome_of(next_event.name, result);
    if (outcome.code != 0) return outcome;
    if (event.type == event_xid) heard.xids.push_back(static_cast<std::int64_t>(event.data));
  }
  return {};
}

}  // namespace stepgate::nvml
