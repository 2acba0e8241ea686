// The device interface of the step loop: a host clock, device events, synchronisation, allocator statistics. There are
// three implementations: cpu_backend (marks only), cuda_backend (events and streams), fake_backend (virtual time).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "measure/device/allocator_health.h"
#include "measure/device/stream.h"

namespace stepgate {

class MemoryTrace;

/// Allocator statistics at one instant. On CPU these are the requested bytes that the counting allocator saw.
struct MemoryStats {
  std::int64_t allocated_bytes = 0;
  std::optional<std::int64_t> requested_live_bytes = std::nullopt;  ///< the requested part of what is allocated now
  std::optional<std::int64_t> active_bytes = std::nullopt;          ///< allocated, or freed and still used by a stream
  std::int64_t peak_allocated_bytes = 0;                            ///< since the last reset_peak()
  std::optional<std::int64_t> peak_requested_bytes =
      std::nullopt;                  ///< peak of requested_live_bytes since the last reset_peak()
  std::int64_t allocations = 0;      ///< since process start
  std::int64_t requested_bytes = 0;  ///< sum of all requests since process start
  std::optional<std::int64_t> reserved_bytes = std::nullopt;
  std::optional<std::int64_t> peak_reserved_bytes = std::nullopt;
  std::optional<std::int64_t> device_mallocs =
      std::nullopt;  ///< calls that reached the driver (CUDA) since process start
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view clock_name() const = 0;  ///< value of TimedPass::clock
  virtual std::int64_t now_ns() = 0;                ///< host clock, monotonic
  virtual void synchronize() = 0;                   ///< waits until the device is idle; returns at once on cpu
  /// The same after a step, where a program that nobody measures would not wait.
  virtual void synchronize_after_step() { synchronize(); }

  /// True if record_event and elapsed_ns work. False on cpu: phases are synchronous, so host marks suffice.
  virtual bool has_device_events() const = 0;
  /// Creates timing events 0..count-1. Call it outside any measured window.
  virtual void reserve_events(std::size_t count) = 0;
  virtual void record_event(std::size_t slot, Stream stream) = 0;
  /// Device time between two recorded events, after synchronize(). Negative if `to` happened before `from`.
  virtual std::int64_t elapsed_ns(std::size_t from, std::size_t to) = 0;

  /// Keeps a stream busy for at least this long, so that the device runs what is queued meanwhile without waiting for
  /// the host. Does nothing if there are no device events.
  virtual void occupy(Stream stream, std::int64_t at_least_ns) = 0;

  virtual MemoryStats memory() = 0;
  virtual void reset_peak() = 0;
  /// Never inside a timed window: it takes locks and asks the driver. Nothing on a device without a caching allocator.
  virtual AllocatorHealth allocator_health() { return {}; }
  /// Writes every later allocation and release of this allocator into `trace`, which begins with the blocks that are
  /// live already. nullptr ends the trace and must come before the trace is destroyed. One trace at a time. False if
  /// the allocator cannot report blocks.
  virtual bool trace_memory(MemoryTrace* /*trace*/) { return false; }
  /// Ends a stretch of the emulated GPU's log: "counts 3" (mark_step()). Nothing on other devices. Call it where
  /// nothing is measured: the log writes a line.
  virtual void mark_log(const std::string& /*text*/) {}
  /// Minor page faults of this process so far: warm-up's memory criterion on cpu. Absent on other devices.
  virtual std::optional<std::int64_t> minor_faults() = 0;
  /// True for devices whose H2D copy is a host memcpy.
  virtual bool simulated_h2d() const = 0;

 protected:
  Backend() = default;
  Backend(const Backend&) = default;
  Backend& operator=(const Backend&) = default;
};

}  // namespace stepgate
