#include "measure/fake_backend.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace stepgate {

std::int64_t FakeBackend::now_ns() {
  host_ns_ += device_.clock_read_ns;
  note({"now"});
  return host_ns_;
}

void FakeBackend::synchronize() {
  drain();
  note({"synchronize"});
}

void FakeBackend::reserve_events(std::size_t count) {
  events_.assign(count, std::nullopt);
  note({"reserve_events", count});
}

void FakeBackend::record_event(std::size_t slot, Stream stream) {
  if (slot >= events_.size()) {
    throw Error(ErrorKind::measure, fmt::format("event slot {} recorded, {} reserved", slot, events_.size()),
                "reserve events before the window");
  }
  events_[slot] = std::max(host_ns_, busy_until(stream));
  note({"event", slot});
}

std::int64_t FakeBackend::elapsed_ns(std::size_t from, std::size_t to) {
  for (std::size_t slot : {from, to}) {
    if (slot < events_.size() && events_[slot] && *events_[slot] <= host_ns_) continue;
    throw Error(ErrorKind::measure, fmt::format("event slot {} read before it was recorded and waited for", slot),
                "synchronise between recording an event and reading it");
  }
  note({"elapsed"});
  return *events_[to] - *events_[from];
}

void FakeBackend::occupy(Stream stream) {
  constexpr std::int64_t occupied_ns = 1'000'000;
  if (device_.events) enqueue(stream, occupied_ns);
  note({"occupy"});
}

MemoryStats FakeBackend::memory() {
  MemoryStats result = memory_;
  if (device_.caching_allocator) {
    result.reserved_bytes = reserved_bytes_;
    result.peak_reserved_bytes = peak_reserved_bytes_;
    result.device_mallocs = device_mallocs_;
  }
  note({"memory"});
  return result;
}

void FakeBackend::reset_peak() {
  memory_.peak_allocated_bytes = memory_.allocated_bytes;
  peak_reserved_bytes_ = reserved_bytes_;
  note({"reset_peak"});
}

std::optional<std::int64_t> FakeBackend::minor_faults() {
  note({"minor_faults"});
  if (!device_.minor_faults) return std::nullopt;
  return minor_faults_;
}

void FakeBackend::enqueue(Stream stream, std::int64_t ns) {
  busy_until(stream) = std::max(host_ns_, busy_until(stream)) + ns;
}

void FakeBackend::wait_for(Stream waiter, Stream other) {
  busy_until(waiter) = std::max(busy_until(waiter), busy_until(other));
}

void FakeBackend::drain() {
  host_ns_ = std::max(host_ns_, *std::max_element(busy_until_ns_.begin(), busy_until_ns_.end()));
}

// A caching allocator without fragmentation: it goes to the driver only for what it never held before.
void FakeBackend::allocate(std::int64_t bytes) {
  memory_.allocations += 1;
  memory_.requested_bytes += bytes;
  memory_.allocated_bytes += bytes;
  memory_.peak_allocated_bytes = std::max(memory_.peak_allocated_bytes, memory_.allocated_bytes);
  if (memory_.allocated_bytes <= reserved_bytes_) return;
  device_mallocs_ += 1;
  reserved_bytes_ = memory_.allocated_bytes;
  peak_reserved_bytes_ = std::max(peak_reserved_bytes_, reserved_bytes_);
}

void FakeBackend::deallocate(std::int64_t bytes) { memory_.allocated_bytes -= bytes; }

void FakeBackend::note(FakeCall call) const {
  if (observer_) observer_(call);
}

}  // namespace stepgate
