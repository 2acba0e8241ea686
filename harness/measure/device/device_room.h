// Whether a case fits into the memory of its GPU, decided before its workload is built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "measure/device/gpu_properties.h"

namespace stepgate {

/// Why a case does not fit, with the figures, and what to try next.
struct NoRoom {
  std::string reason;
  std::string remedy;
  bool is_gpu_too_small = false;  ///< it would not fit if nobody else used the GPU either
};

/// Absent where `needed_bytes`, an estimate, are free.
std::optional<NoRoom> no_room_for(std::int64_t needed_bytes, const DeviceCapacity& memory);

}  // namespace stepgate
