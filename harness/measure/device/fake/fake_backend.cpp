#include "measure/device/fake/fake_backend.h"

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
  host_ns_ += device_.record_ns;
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

void FakeBackend::occupy(Stream stream, std::int64_t at_least_ns) {
  if (device_.events) enqueue(stream, at_least_ns);
  note({"occupy"});
}

MemoryStats FakeBackend::memory() {
  MemoryStats result = memory_;
  if (device_.caching_allocator) {
    result.requested_live_bytes = requested_live_bytes_;
    result.peak_requested_bytes = peak_requested_bytes_;
    result.active_bytes = memory_.allocated_bytes;
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
  peak_requested_bytes_ = requested_live_bytes_;
  note({"reset_peak"});
}

AllocatorHealth FakeBackend::allocator_health() { return device_.caching_allocator ? health_ : AllocatorHealth{}; }

void FakeBackend::run_out(std::int64_t times) {
  for (std::int64_t i = 0; i < times; ++i) drain();
  health_.retries = *health_.retries + times;
  health_.stream_syncs = *health_.stream_syncs + times;
}

void FakeBackend::pin(std::int64_t bytes, std::int64_t ns) {
  host_ns_ += ns;
  health_.pinned_allocations = *health_.pinned_allocations + 1;
  health_.pinned_ns = *health_.pinned_ns + ns;
  health_.pinned_bytes = *health_.pinned_bytes + bytes;
  health_.peak_pinned_bytes = std::max(*health_.peak_pinned_bytes, *health_.pinned_bytes);
}

bool FakeBackend::trace_memory(MemoryTrace* trace) {
  if (!device_.traces_memory) return false;
  trace_ = trace;
  if (trace_ == nullptr) return true;
  if (device_.caching_allocator) trace_->reserve(reserved_bytes_);
  for (const auto& [address, bytes] : live_) trace_->allocate(address, bytes);
  return true;
}

std::optional<std::int64_t> FakeBackend::minor_faults() {
  note({"minor_faults"});
  if (!device_.minor_faults) return std::nullopt;
  return minor_faults_;
}

void FakeBackend::enqueue(Stream stream, std::int64_t ns) {
  const std::int64_t begin_ns = std::max(host_ns_, busy_until(stream));
  busy_until(stream) = begin_ns + ns;
  if (work_trace_ != nullptr) work_trace_->push_back({begin_ns, begin_ns + ns});
}

void FakeBackend::wait_for(Stream waiter, Stream other) {
  busy_until(waiter) = std::max(busy_until(waiter), busy_until(other));
}

void FakeBackend::drain() {
  host_ns_ = std::max(host_ns_, *std::max_element(busy_until_ns_.begin(), busy_until_ns_.end()));
}

std::int64_t FakeBackend::handed_out(std::int64_t bytes) const {
  return (bytes + device_.block_bytes - 1) / device_.block_bytes * device_.block_bytes;
}

void FakeBackend::reserve(std::int64_t bytes) {
  device_mallocs_ += 1;
  reserved_bytes_ += bytes;
  peak_reserved_bytes_ = std::max(peak_reserved_bytes_, reserved_bytes_);
  if (trace_ != nullptr && device_.caching_allocator) trace_->reserve(bytes);
}

// A caching allocator that fragments only on request: it asks the driver only for memory that it never held before.
MemoryTrace::Address FakeBackend::allocate(std::int64_t bytes) {
  memory_.allocations += 1;
  memory_.requested_bytes += bytes;
  memory_.allocated_bytes += handed_out(bytes);
  memory_.peak_allocated_bytes = std::max(memory_.peak_allocated_bytes, memory_.allocated_bytes);
  requested_live_bytes_ += bytes;
  peak_requested_bytes_ = std::max(peak_requested_bytes_, requested_live_bytes_);
  const std::int64_t usable = reserved_bytes_ - wasted_bytes_;
  if (memory_.allocated_bytes > usable) reserve(memory_.allocated_bytes - usable);
  const MemoryTrace::Address address = next_address_++;
  live_[address] = bytes;
  if (trace_ != nullptr) trace_->allocate(address, bytes);
  return address;
}

void FakeBackend::deallocate(MemoryTrace::Address address) {
  const auto at = live_.find(address);
  if (at == live_.end()) {
    throw Error(ErrorKind::measure, fmt::format("no block lives at address {}", address),
                "free each block once, by the address that allocate() gave");
  }
  memory_.allocated_bytes -= handed_out(at->second);
  requested_live_bytes_ -= at->second;
  live_.erase(at);
  if (trace_ != nullptr) trace_->release(address);
}

void FakeBackend::waste(std::int64_t bytes) {
  wasted_bytes_ += bytes;
  reserve(bytes);
}

void FakeBackend::note(FakeCall call) const {
  if (observer_) observer_(call);
}

}  // namespace stepgate
