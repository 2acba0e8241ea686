// The costliest operators of a step alone, on operands of the recorded sizes and in other forms.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "core/record/profile_run.h"
#include "measure/device/backend.h"

namespace stepgate {

struct ReplayRequest {
  const ObservedWork& work;
  torch::Device device;
  Backend& backend;
  std::int64_t step_ns = 0;                ///< time of a step without observer
  std::int64_t budget_ns = 1'000'000'000;  ///< for all together
};

/// Sites above 3 % of the step, costliest first, "as recorded" and in each other form that differs: "padded to 16" (the
/// last dimensions of a matrix product), "contiguous", "channels-last" (convolutions), "bfloat16". An operator whose
/// arguments cannot be made again is left out.
std::vector<OperatorReplay> replay_operators(const ReplayRequest& request);

}  // namespace stepgate
