// The scripted device as a DeviceQueue. It runs nothing. It keeps virtual time and throws Hazard where two accesses to
// a block are not ordered, however the times happen to fall.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "measure/device/device_queue.h"
#include "measure/device/fake/scripted_memory.h"

namespace stepgate {

/// Virtual time that calls cost the host and copies cost the device.
struct ScriptedCosts {
  std::int64_t record_ns = 0;      ///< host time of record()
  std::int64_t queue_copy_ns = 0;  ///< host time of queueing a copy
  std::int64_t copy_bytes_per_ns = 20;
};

/// Work of the workload: what a kernel reads and writes.
struct ScriptedKernel {
  CallSite site;
  Stream stream = Stream::compute;
  std::int64_t ns = 0;
  std::span<const DeviceMemory> reads = {};
  std::span<const DeviceMemory> writes = {};
};

class ScriptedQueue final : public DeviceQueue {
 public:
  explicit ScriptedQueue(const ScriptedCosts& costs = {});

  std::int64_t now_ns() override { return timeline_->host_ns(); }
  EventId make_event(EventTiming timing) override;
  void record(EventId event, Stream stream) override;
  void wait(Stream stream, EventId event) override;
  bool is_done(EventId event) override;
  void synchronize(EventId event) override;
  void synchronize() override;
  /// Throws Error(measure) for an event without timing, and for one that was not recorded or that the host has not
  /// waited for.
  std::int64_t elapsed_ns(EventId from, EventId to) override;
  DeviceMemory allocate(std::int64_t bytes, Stream stream) override;
  void record_stream(const DeviceMemory& memory, Stream stream) override;
  HostBuffer allocate_host(std::int64_t bytes, HostMemory memory) override;
  bool copy_to_device(const HostBytes& from, const DeviceBlock& to, Stream stream, CallSite site) override;
  void copy_to_host(const DeviceBlock& from, const HostBytes& to, Stream stream, CallSite site) override;
  void fill(const DeviceBlock& block, unsigned char byte, Stream stream, CallSite site) override;
  void occupy(Stream stream, std::int64_t at_least_ns) override;

  // For scripted workloads.
  void launch(const ScriptedKernel& kernel);
  void work_on_host(std::int64_t ns) { timeline_->work_on_host(ns); }
  /// The host itself reads or writes memory: a loader fills a batch, or a loss is read.
  void read_on_host(const void* address, const CallSite& site);
  void write_on_host(const void* address, const CallSite& site);
  /// Pinned memory that no pool follows.
  HostBuffer allocate_foreign(std::int64_t bytes) { return memory_->allocate_host(bytes, HostOrigin::foreign); }

  const ScriptedMemory& memory() const { return *memory_; }
  void release_cached() { memory_->release_cached(); }

 private:
  struct Event {
    EventTiming timing = EventTiming::off;
    bool recorded = false;
    StreamMoment moment;
  };
  Event& at(EventId event);
  std::int64_t copy_ns(std::int64_t bytes) const { return bytes / costs_.copy_bytes_per_ns + 1; }

  ScriptedCosts costs_;
  std::shared_ptr<ScriptedTimeline> timeline_ = std::make_shared<ScriptedTimeline>();
  std::shared_ptr<ScriptedMemory> memory_ = std::make_shared<ScriptedMemory>(timeline_);
  std::vector<Event> events_;
};

}  // namespace stepgate
