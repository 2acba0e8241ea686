// The time of the emulated machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "emulator/model/machine_options.h"

namespace stepgate::emulator {

/// What a call that gives a device work, or asks about it, costs the host. Own choice: LibTorch takes about 4 us for an
/// operator with one kernel. It orders queries and work where time is virtual.
inline constexpr std::int64_t host_call_ns = 4000;

class MachineClock {
 public:
  virtual ~MachineClock() = default;
  virtual std::int64_t now_ns() const = 0;
  /// The host has made one call that costs host_call_ns.
  virtual void spend_call() = 0;
  /// The host waits until then. No lock is held.
  virtual void wait_until(std::int64_t ns) = 0;
};

/// Begins at 0. Only calls and waits advance it, so equal calls happen at equal times. It never goes back: where two
/// threads wait, both go on at the later of the two times.
class VirtualClock : public MachineClock {
 public:
  std::int64_t now_ns() const override { return now_ns_; }
  void spend_call() override { now_ns_ += host_call_ns; }
  void wait_until(std::int64_t ns) override;

 private:
  std::atomic<std::int64_t> now_ns_ = 0;
};

/// CLOCK_MONOTONIC. A wait sleeps, and looks at the clock all the time in its last 50 us, because a sleeping thread
/// wakes later.
class RealClock : public MachineClock {
 public:
  std::int64_t now_ns() const override;
  void spend_call() override {}
  void wait_until(std::int64_t ns) override;
};

std::unique_ptr<MachineClock> make_clock(ClockKind kind);

}  // namespace stepgate::emulator
