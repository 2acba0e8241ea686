// A device in virtual time: a host clock that only scripted work advances, two asynchronous streams, and an allocator
// with scripted calls. Tests use it to check all attribution logic to the nanosecond, without a GPU.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "measure/device/backend.h"
#include "measure/device/work/device_work_trace.h"
#include "measure/memory/memory_trace.h"

namespace stepgate {

/// One recorded call: of Backend ("now", "synchronize", "event", ...) or of a scripted step ("load", ...).
struct FakeCall {
  std::string_view what;
  std::size_t slot = 0;  ///< slot of "event"; `count` of "reserve_events"
  bool operator==(const FakeCall&) const = default;
};

/// The kind of the simulated device.
struct FakeDevice {
  bool events = true;             ///< false simulates a cpu: no events, and all work is on the host
  bool caching_allocator = true;  ///< reports reserved bytes and driver allocations
  bool simulated_h2d = false;     ///< as on cpu
  bool minor_faults = false;      ///< reports page faults, as on cpu
  bool traces_memory = true;
  std::int64_t block_bytes = 1;    ///< block sizes are multiples of it, as with a caching allocator
  std::int64_t clock_read_ns = 0;  ///< cost of each now_ns()
  std::int64_t record_ns = 0;      ///< host time of each record_event()
};

class FakeBackend : public Backend {
 public:
  explicit FakeBackend(FakeDevice device = {}) : device_(device) {}

  std::string_view clock_name() const override { return "virtual"; }
  std::int64_t now_ns() override;
  void synchronize() override;
  bool has_device_events() const override { return device_.events; }
  void reserve_events(std::size_t count) override;
  /// Throws Error(measure) if the slot was not reserved.
  void record_event(std::size_t slot, Stream stream) override;
  /// Throws Error(measure) if an event was not recorded, or if the host has not waited for it. On a GPU such a missing
  /// synchronisation would only give a wrong number.
  std::int64_t elapsed_ns(std::size_t from, std::size_t to) override;
  void occupy(Stream stream, std::int64_t at_least_ns) override;
  MemoryStats memory() override;
  void reset_peak() override;
  /// Nothing without a caching allocator.
  AllocatorHealth allocator_health() override;
  bool trace_memory(MemoryTrace* trace) override;
  std::optional<std::int64_t> minor_faults() override;
  bool simulated_h2d() const override { return device_.simulated_h2d; }

  // For scripted workloads.
  void work_on_host(std::int64_t ns) { host_ns_ += ns; }
  /// Queues work. It begins as soon as the host has reached this point and the stream is idle.
  void enqueue(Stream stream, std::int64_t ns);
  /// Work queued later on `waiter` begins only after the work that is queued on `other` now.
  void wait_for(Stream waiter, Stream other);
  /// The host waits for the device: a synchronisation by the workload itself.
  void drain();
  /// Returns the block's address.
  MemoryTrace::Address allocate(std::int64_t bytes);
  /// Throws Error(measure) for an address without a live block.
  void deallocate(MemoryTrace::Address address);
  /// Makes the allocator take unusable memory from the device: fragmentation.
  void waste(std::int64_t bytes);
  /// Notes when each later piece of work runs, on the clock of now_ns(). nullptr ends it.
  void trace_work(std::vector<WorkInterval>* into) { work_trace_ = into; }
  void fault(std::int64_t pages) { minor_faults_ += pages; }
  /// The next retries of the allocator: it waits for all streams, frees its cache and asks the driver again.
  void run_out(std::int64_t times);
  /// Pinned host memory that the driver has to make.
  void pin(std::int64_t bytes, std::int64_t ns);
  /// Device memory that others use.
  void use_outside(std::int64_t bytes) { health_.outside_bytes = *health_.outside_bytes + bytes; }

  /// Runs at each call, after its effect. For tests that inspect windows.
  void observe(std::function<void(const FakeCall&)> observer) { observer_ = std::move(observer); }
  void note(FakeCall call) const;

 private:
  std::int64_t& busy_until(Stream stream) { return busy_until_ns_[static_cast<std::size_t>(stream)]; }

  FakeDevice device_;
  std::int64_t host_ns_ = 0;
  std::array<std::int64_t, 2> busy_until_ns_{};  ///< by Stream
  std::vector<std::optional<std::int64_t>> events_;
  std::int64_t handed_out(std::int64_t bytes) const;
  void reserve(std::int64_t bytes);

  MemoryStats memory_;
  AllocatorHealth health_ = {.retries = 0,
                             .ooms = 0,
                             .stream_syncs = 0,
                             .pinned_allocations = 0,
                             .pinned_ns = 0,
                             .pinned_bytes = 0,
                             .peak_pinned_bytes = 0,
                             .outside_bytes = 0};
  std::int64_t requested_live_bytes_ = 0;
  std::int64_t peak_requested_bytes_ = 0;
  std::int64_t wasted_bytes_ = 0;
  std::unordered_map<MemoryTrace::Address, std::int64_t> live_;  ///< requested bytes by address
  MemoryTrace::Address next_address_ = 1;
  MemoryTrace* trace_ = nullptr;
  std::vector<WorkInterval>* work_trace_ = nullptr;
  std::int64_t reserved_bytes_ = 0;
  std::int64_t peak_reserved_bytes_ = 0;
  std::int64_t device_mallocs_ = 0;
  std::int64_t minor_faults_ = 0;
  std::function<void(const FakeCall&)> observer_;
};

}  // namespace stepgate
