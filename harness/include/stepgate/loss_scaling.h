// What a loss scaler says of itself: a workload by Workload::loss_scaling(), a loop by StepMarks::loss_scaling().
#pragma once

#include <cstdint>

namespace stepgate {

/// What the loss scaler says (amp.h: GradScaler).
struct LossScaling {
  double scale = 1;                ///< the next loss is multiplied by it
  std::int64_t skipped_steps = 0;  ///< updates skipped because of an overflow, since the scaler was made
};

}  // namespace stepgate
