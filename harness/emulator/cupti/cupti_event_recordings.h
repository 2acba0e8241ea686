// The numbers that records have for recordings of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

/// Counts recordings from 1 and keeps the last one of each event until it is destroyed. Of a program that destroys none
/// only the events that were recorded last are kept: what it still asks is among them.
class EventRecordings {
 public:
  /// Own choice: far more events than a program of LibTorch holds at once, and a few MiB.
  static constexpr std::size_t most_events = std::size_t{1} << 16U;

  /// Returns the recording's number.
  std::uint64_t add(EventHandle event) {
    if (const auto found = numbers_.find(event); found != numbers_.end()) events_.erase(found->second);
    numbers_[event] = ++last_;
    events_[last_] = event;
    if (events_.size() > most_events) {
      numbers_.erase(events_.begin()->second);
      events_.erase(events_.begin());
    }
    return last_;
  }

  /// The event was destroyed.
  void forget(EventHandle event) {
    const auto found = numbers_.find(event);
    if (found == numbers_.end()) return;
    events_.erase(found->second);
    numbers_.erase(found);
  }

  /// 0 for an event that was never recorded, or too long ago.
  std::uint64_t number_of(EventHandle event) const {
    const auto found = numbers_.find(event);
    return found == numbers_.end() ? 0 : found->second;
  }

  std::size_t size() const { return numbers_.size(); }

 private:
  std::map<EventHandle, std::uint64_t> numbers_;
  std::map<std::uint64_t, EventHandle> events_;  ///< the other way: the oldest first
  std::uint64_t last_ = 0;
};

}  // namespace stepgate::emulator
