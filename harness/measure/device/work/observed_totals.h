// The sums of an observation of operators.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "measure/device/work/operators/noted_launches.h"

namespace stepgate {

/// Since the observation began, without what loader workers and boundary data_wait do, but for launches.
struct ObservedTotals {
  std::int64_t flops = 0;
  std::int64_t misaligned_flops = 0;  ///< in products that product_alignment.h calls misaligned
  std::int64_t bytes = 0;
  /// Copies of more than one element into another dtype, within one device, by "float32 to bfloat16".
  std::map<std::string, std::int64_t> casts = {};
  std::int64_t cast_bytes = 0;
  std::int64_t copy_bytes = 0;  ///< bytes of copies within one device that keep the dtype
  /// Calls in which the host would wait for a device, by name (operators/waiting_operators.h).
  std::map<std::string, std::int64_t> waits = {};
  LaunchTotals launches = {};  ///< what WorkObserver::note_launch() was told, of all threads
};

}  // namespace stepgate
