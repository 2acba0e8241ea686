#include "emulator/work/machine_clock.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace stepgate::emulator {

void VirtualClock::wait_until(std::int64_t ns) {
  std::int64_t now = now_ns_;
  while (now < ns && !now_ns_.compare_exchange_weak(now, ns)) {
  }
}

std::int64_t RealClock::now_ns() const {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
}

void RealClock::wait_until(std::int64_t ns) {
  constexpr std::int64_t looking_ns = 50'000;
  const std::int64_t sleeping_ns = ns - looking_ns - now_ns();
  if (sleeping_ns > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(sleeping_ns));
  while (now_ns() < ns) {
  }
}

std::unique_ptr<MachineClock> make_clock(ClockKind kind) {
  if (kind == ClockKind::real_time) return std::make_unique<RealClock>();
  return std::make_unique<VirtualClock>();
}

}  // namespace stepgate::emulator
