// The clock of StepTimer and ThroughputMeter.
#pragma once

#include <chrono>
#include <cstdint>

namespace stepgate {

/// Nanoseconds since some fixed moment; never goes back.
using HostClock = std::int64_t (*)();

inline std::int64_t steady_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace stepgate
