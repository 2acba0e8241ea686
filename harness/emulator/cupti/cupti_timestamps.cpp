#include "emulator/cupti/cupti_timestamps.h"

#include <chrono>
#include <cmath>

namespace stepgate::emulator {
namespace {

/// A shorter stretch says less about the rate than the one that the map began with.
constexpr std::int64_t least_stretch_ns = 2'000'000;

std::int64_t real_now_ns() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
}

double rate_between(const ClockReading& begin, const ClockReading& end) {
  return static_cast<double>(end.ticks - begin.ticks) / static_cast<double>(end.real_ns - begin.real_ns);
}

}  // namespace

void TickMap::move_forward(const ClockReading& now) {
  const std::uint64_t mapped = ticks_of(now.machine_ns);
  // The longer the stretch, the better the rate, so that a map of a real clock stays on it.
  if (now.real_ns - first_.real_ns > least_stretch_ns && now.ticks > first_.ticks) rate_ = rate_between(first_, now);
  anchor_ = now;
  if (mapped > now.ticks) anchor_.ticks = mapped;
}

std::uint64_t TickMap::ticks_of(std::int64_t machine_ns) const {
  const auto distance = static_cast<double>(machine_ns - anchor_.machine_ns) * rate_;
  // Adding the rounded distance, not the sum as a double: ticks since 1970 have more digits than a double.
  return anchor_.ticks + static_cast<std::uint64_t>(std::llround(distance));
}

ClockReading read_clocks(const std::function<std::uint64_t()>& ticks, std::int64_t machine_ns) {
  ClockReading reading;
  reading.machine_ns = machine_ns;
  const std::int64_t before_ns = real_now_ns();
  reading.ticks = ticks();
  reading.real_ns = before_ns + (real_now_ns() - before_ns) / 2;
  return reading;
}

TickMap measured_map(const std::function<std::uint64_t()>& ticks, const std::function<std::int64_t()>& machine_ns) {
  const ClockReading begin = read_clocks(ticks, machine_ns());
  ClockReading end = begin;
  while (end.real_ns - begin.real_ns < least_stretch_ns || end.ticks == begin.ticks) {
    end = read_clocks(ticks, machine_ns());
  }
  return {end, rate_between(begin, end)};
}

}  // namespace stepgate::emulator
