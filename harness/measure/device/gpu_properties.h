// What a GPU is and how much of its memory is free: plain values, so that decisions about them are tested without one.
#pragma once

#include <cstdint>

namespace stepgate {

/// Properties that do not change while the machine is up. No clock is among them: it varies with temperature and
/// settings.
struct GpuProperties {
  std::int64_t compute_major = 0;  ///< compute capability 9.0: major 9, minor 0
  std::int64_t compute_minor = 0;
  std::int64_t multiprocessors = 0;
  std::int64_t l2_bytes = 0;  ///< 0 where the driver does not say
  std::int64_t memory_bytes = 0;
};

/// Memory as the driver reports it at one moment.
struct DeviceCapacity {
  std::int64_t free_bytes = 0;
  std::int64_t total_bytes = 0;
};

}  // namespace stepgate
