// The machine as measured processes find it.
#pragma once

#include <optional>

#include "environment/gpu/choice/gpu_choice.h"
#include "launch/measure_case.h"

namespace stepgate {

struct MeasuredHost {
  std::optional<Gpu> gpu = {};  ///< the first that measured processes use, where that is known
  GpuOffer gpus = {};           ///< all that they may use
  LaunchGuard guard = {};       ///< what guards them
};

}  // namespace stepgate
