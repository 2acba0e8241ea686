// What the step loop needs from a device: a host clock, device events, synchronisation, allocator statistics.
// Three implementations: cpu_backend (marks only), cuda_backend (events and streams), fake_backend (virtual time).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

class MemoryTrace;

enum class Stream { compute, copy };

/// Allocator statistics at one instant. On CPU these are requested bytes seen by the counting allocator.
struct MemoryStats {
  std::int64_t allocated_bytes = 0;
  std::optional<std::int64_t> requested_live_bytes = std::nullopt;  ///< what was asked for, of what is allocated now
  std::optional<std::int64_t> active_bytes = std::nullopt;          ///< allocated, or freed and still used by a stream
  std::int64_t peak_allocated_bytes = 0;                            ///< since the last reset_peak()
  std::optional<std::int64_t> peak_requested_bytes = std::nullopt;  ///< of requested_live_bytes, likewise
  std::int64_t allocations = 0;                                     ///< since process start
  std::int64_t requested_bytes = 0;                                 ///< sum of all requests since process start
  std::optional<std::int64_t> reserved_bytes = std::nullopt;
  std::optional<std::int64_t> peak_reserved_bytes = std::nullopt;
  std::optional<std::int64_t> device_mallocs =
      std::nullopt;  ///< calls that reached the driver (CUDA) since process start
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view clock_name() const = 0;  ///< goes into TimedPass::clock
  virtual std::int64_t now_ns() = 0;                ///< host clock, monotonic
  virtual void synchronize() = 0;                   ///< waits until the device is idle; returns at once on cpu

  /// True where record_event/elapsed_ns mean something. False on cpu: phases are synchronous, host marks suffice.
  virtual bool has_device_events() const = 0;
  /// Creates timing events 0..count-1, outside any measured window.
  virtual void reserve_events(std::size_t count) = 0;
  virtual void record_event(std::size_t slot, Stream stream) = 0;
  /// Device time between two recorded events, after synchronize(). Negative where `to` happened before `from`.
  virtual std::int64_t elapsed_ns(std::size_t from, std::size_t to) = 0;

  /// Keeps a stream busy for a moment, so that what is queued next waits for nothing but the device: the host's time to
  /// queue it is hidden. Does nothing where there are no device events.
  virtual void occupy(Stream stream) = 0;

  virtual MemoryStats memory() = 0;
  virtual void reset_peak() = 0;
  /// From now on every block that this allocator hands out or takes back goes into `trace`, which begins with what is
  /// live already; nullptr ends it, and must come before the trace dies. One trace at a time. False where the allocator
  /// cannot tell.
  virtual bool trace_memory(MemoryTrace* /*trace*/) { return false; }
  /// Minor page faults of this process so far: warm-up's memory criterion on cpu. Absent where not meaningful.
  virtual std::optional<std::int64_t> minor_faults() = 0;
  /// True for devices whose "copy" is a host memcpy standing in for H2D.
  virtual bool simulated_h2d() const = 0;

 protected:
  Backend() = default;
  Backend(const Backend&) = default;
  Backend& operator=(const Backend&) = default;
};

}  // namespace stepgate
