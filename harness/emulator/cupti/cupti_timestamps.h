// The machine's time on the clock that the reader of records uses.
#pragma once

#include <cstdint>
#include <functional>

namespace stepgate::emulator {

/// The three clocks at one moment.
struct ClockReading {
  std::int64_t machine_ns = 0;  ///< the machine's, which may be virtual
  std::uint64_t ticks = 0;      ///< the reader's: nanoseconds, or ticks of the processor
  std::int64_t real_ns = 0;     ///< a clock that never jumps, to measure how long a tick takes
};

/// Maps times of the machine to ticks. Durations keep their length: a nanosecond of the machine is as many ticks as a
/// real one. Virtual time passes slower than real time while the host computes, so each call of the program moves the
/// map forward to the reader's clock; else a profile that begins later would take its records for older ones. The map
/// never moves back, so the order of records stays.
///
/// Where virtual time is ahead of real time (device work of 10 ms that the host went through in 1 ms), records carry
/// times that the reader's clock has not reached. A reader that ends its profile by that clock leaves them out; it
/// needs the machine's clock in real time.
class TickMap {
 public:
  /// `rate`: ticks of one nanosecond.
  TickMap(const ClockReading& start, double rate) : first_(start), anchor_(start), rate_(rate) {}

  void move_forward(const ClockReading& now);
  std::uint64_t ticks_of(std::int64_t machine_ns) const;
  double rate() const { return rate_; }

 private:
  ClockReading first_;
  ClockReading anchor_;
  double rate_ = 1;
};

/// Reads the reader's clock and the real one as close together as can be.
ClockReading read_clocks(const std::function<std::uint64_t()>& ticks, std::int64_t machine_ns);

/// A map that begins now. Looks at both clocks for 2 ms to learn the rate.
TickMap measured_map(const std::function<std::uint64_t()>& ticks, const std::function<std::int64_t()>& machine_ns);

}  // namespace stepgate::emulator
