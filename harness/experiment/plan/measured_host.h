// The machine as measured processes find it.
#pragma once

#include <optional>

#include "environment/gpu/gpu_driver.h"
#include "launch/measure_case.h"

namespace stepgate {

struct MeasuredHost {
  std::optional<Gpu> gpu = {};  ///< the one that measured processes use, where that is known
  LaunchGuard guard = {};       ///< what guards them
};

}  // namespace stepgate
