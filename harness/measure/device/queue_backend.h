// The part of a backend that its device queue answers: clock, events, synchronisation.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/device/backend.h"
#include "measure/device/device_queue.h"

namespace stepgate {

class QueueBackend : public Backend {
 public:
  std::int64_t now_ns() override { return queue_.now_ns(); }
  void synchronize() override { queue_.synchronize(); }
  bool has_device_events() const override { return true; }
  void reserve_events(std::size_t count) override;
  void record_event(std::size_t slot, Stream stream) override { queue_.record(events_[slot], stream); }
  std::int64_t elapsed_ns(std::size_t from, std::size_t to) override {
    return queue_.elapsed_ns(events_[from], events_[to]);
  }
  void occupy(Stream stream, std::int64_t at_least_ns) override { queue_.occupy(stream, at_least_ns); }
  bool simulated_h2d() const override { return false; }

 protected:
  /// `queue` must outlive this.
  explicit QueueBackend(DeviceQueue& queue) : queue_(queue) {}

 private:
  DeviceQueue& queue_;
  std::vector<EventId> events_;
};

}  // namespace stepgate
