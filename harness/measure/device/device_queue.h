// What stepgate asks of an asynchronous device: streams, events, memory and copies. It needs neither LibTorch nor CUDA.
// There are two implementations: cuda_queue (CUDA's streams and LibTorch's allocators) and scripted_queue (virtual
// time, and an account of which accesses are ordered).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "measure/device/stream.h"

namespace stepgate {

/// Who touches memory: "copier: write of", slot 1, tensor 0. The scripted device names it in its reports; a real device
/// ignores it. `what` must be a literal.
struct CallSite {
  const char* what = "unnamed access";
  std::size_t slot = 0;
  std::size_t tensor = 0;
};

enum class HostMemory { pinned, pageable };

/// Host memory that a copy reads or writes.
struct HostBytes {
  void* address = nullptr;
  std::int64_t bytes = 0;
  HostMemory memory = HostMemory::pageable;
  /// What the allocator of pinned memory knows the block by: the context of a tensor's storage. A slice of a block has
  /// the context of the whole. nullptr for memory that this allocator did not make.
  void* context = nullptr;
};

/// Memory of the device.
struct DeviceBlock {
  void* address = nullptr;
  std::int64_t bytes = 0;
};

/// The last owner frees the block. The allocator may then give the same memory out again at once, for use on the stream
/// that it was allocated on: only what that stream has queued is ordered before the next use.
using DeviceMemory = std::shared_ptr<const DeviceBlock>;

/// The last owner gives the memory back to the pool of pinned memory, which hands it out again when the copies that
/// DeviceQueue::copy_to_device() noted are complete.
using HostBuffer = std::shared_ptr<const HostBytes>;

/// elapsed_ns() needs `on`. An event without timing costs the device less.
enum class EventTiming { off, on };

/// An event lives as long as its queue.
enum class EventId : std::size_t {};

/// A function that queues work returns at once, and the work runs in the order of its stream. Errors of the device are
/// thrown as they are found, by whatever call finds them.
class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;

  virtual std::int64_t now_ns() = 0;  ///< host clock, monotonic

  /// Until it is recorded, an event counts as complete and waiting for it does nothing.
  virtual EventId make_event(EventTiming timing) = 0;
  /// The event completes when all work that `stream` holds now is done. A later record replaces this one.
  virtual void record(EventId event, Stream stream) = 0;
  /// Work that is queued on `stream` from now on begins after the event. The host does not wait.
  virtual void wait(Stream stream, EventId event) = 0;
  /// Whether the event is complete. The host does not wait.
  virtual bool is_done(EventId event) = 0;
  /// The host waits for the event.
  virtual void synchronize(EventId event) = 0;
  /// The host waits until the device is idle.
  virtual void synchronize() = 0;
  /// Device time between two events with timing for which the host has waited. Negative if `to` happened before `from`.
  virtual std::int64_t elapsed_ns(EventId from, EventId to) = 0;

  /// Memory for use on `stream`. Use on another stream must be ordered behind what `stream` has queued now, since the
  /// memory may have belonged to work that is still queued there. `bytes` is positive.
  virtual DeviceMemory allocate(std::int64_t bytes, Stream stream) = 0;
  /// After it is freed the block stays unused until the work that `stream` holds at that time is done.
  virtual void record_stream(const DeviceMemory& memory, Stream stream) = 0;
  /// Host memory; pinned memory comes from a pool. `bytes` is positive.
  virtual HostBuffer allocate_host(std::int64_t bytes, HostMemory memory) = 0;

  /// Queues a copy of `from.bytes` bytes. From pinned memory the host does not wait; from pageable memory it waits
  /// until the copy is complete. Returns true if the source may be freed at once: the copy is complete, or the pool of
  /// pinned memory has noted it. If false, the caller keeps the source until the copy is complete. The caller never
  /// overwrites a source before that.
  virtual bool copy_to_device(const HostBytes& from, const DeviceBlock& to, Stream stream, CallSite site) = 0;
  /// Queues a copy of `to.bytes` bytes into pinned memory. The host must wait for it before it reads them.
  virtual void copy_to_host(const DeviceBlock& from, const HostBytes& to, Stream stream, CallSite site) = 0;
  /// Queues a write of `byte` into all of the block.
  virtual void fill(const DeviceBlock& block, unsigned char byte, Stream stream, CallSite site) = 0;
  /// Keeps `stream` busy for at least this long, from when the device gets to it.
  virtual void occupy(Stream stream, std::int64_t at_least_ns) = 0;

 protected:
  DeviceQueue() = default;
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
};

}  // namespace stepgate
